import Foundation
import Testing

@testable import BenchHarness

/// Scenarios whose entity has subentities, and the records that they make.
@Suite struct SubentityReaderTests {
    private static let song = """
        { "name": "Song", "superentity": "Medium", "share": 0.5, "attributes": [
          { "name": "artist", "type": "string", "generator": { "kind": "sequence", "prefix": "Artist " } } ] }
        """
    private static let film = """
        { "name": "Film", "superentity": "Medium", "share": 0.2, "attributes": [
          { "name": "minutes", "type": "int64", "null_share": 0.5, "generator": { "kind": "sequence" } } ] }
        """
    private let count = #""kind": "count", "from": "seeded""#

    private func json(_ phases: String..., subentities: [String] = [song, film], more: String = "") -> String {
        let list = phases.enumerated().map { #"{ "name": "phase\#($0)", \#($1) }"# }.joined(separator: ", ")
        return """
            { "version": 3, "name": "library", "records": 2000, "seed": 5,
              "entities": [{ "name": "Medium", "attributes": [
                { "name": "title", "type": "string", "generator": { "kind": "sequence", "prefix": "Title " } },
                { "name": "plays", "type": "int64", "generator": { "kind": "uniform", "min": 0, "max": 9 } } ]\(more) },
              \(subentities.joined(separator: ",\n"))], "phases": [\(list)] }
            """
    }

    @Test func anEntityHasTheAttributesOfItsSubentitiesAndTheNumberOfItsKind() throws {
        let scenario = try ScenarioFixture.read(json(count))
        let entity = scenario.entity
        #expect(entity.attributes.map(\.name) == ["title", "plays", "artist", "minutes", EntitySpec.kindName])
        #expect(entity.attributes.map(\.subentity) == [nil, nil, "Song", "Film", nil])
        #expect(entity.kindAttribute == 4 && entity.hasRecordsOfItsOwn)
        #expect(["Medium", "Film", "Song"].map(entity.number(ofKind:)) == [1, 2, 3])
        #expect(try JSONDecoder().decode(Scenario.self, from: JSONEncoder().encode(scenario)) == scenario)
    }

    @Test func aRecordIsOfOneKindAndHasNullForTheAttributesOfOthers() throws {
        let entity = try ScenarioFixture.read(json(count)).entity
        let records = RecordGenerator(entity: entity, seed: 5)
        var kinds: [Int64: Int] = [:]
        for ordinal in 0..<2_000 {
            let kind = records.kind(ordinal)
            kinds[kind, default: 0] += 1
            #expect(records.value(4, ordinal) == .int64(kind))
            #expect(records.isNull(2, ordinal) == (kind != 3))
            if kind != 2 { #expect(records.isNull(3, ordinal)) }
        }
        #expect((500...700).contains(kinds[1] ?? 0) && (320...480).contains(kinds[2] ?? 0))
        #expect((900...1_100).contains(kinds[3] ?? 0) && kinds.count == 3)
        // Half of the films have minutes.
        let minutes = (0..<2_000).count { records.value(3, $0) != .null }
        #expect((130...270).contains(minutes))
    }

    @Test func sharesOfAllRecordsLeaveNoneToTheEntity() throws {
        let film = Self.film.replacing("0.2", with: "0.3")
        let third =
            #"{ "name": "Clip", "superentity": "Medium", "share": 0.2, "attributes": [\#(Self.number("length"))] }"#
        let entity = try ScenarioFixture.read(json(count, subentities: [Self.song, film, third])).entity
        #expect(!entity.hasRecordsOfItsOwn)
        let records = RecordGenerator(entity: entity, seed: 1)
        #expect(!(0..<2_000).contains { records.kind($0) == 1 })
    }

    private static func number(_ name: String) -> String {
        #"{ "name": "\#(name)", "type": "int64", "generator": { "kind": "sequence" } }"#
    }

    @Test func aPhaseAboutASubentityHasItsAttributesAndItsCondition() throws {
        let songs =
            #""kind": "count", "from": "seeded", "entity": "Song", "filter": { "key": "artist", "op": "!=", "value": "x" }"#
        let scenario = try ScenarioFixture.read(
            json(songs, #""kind": "count", "from": "previous", "entity": "Film""#, count))
        #expect(scenario.phases.map(\.entity) == ["Song", "Film", nil])
        let parted = scenario.phases.map { $0.filter?.partedByKind }
        #expect(parted.map { $0?.number } == [3, 2, nil])
        #expect(parted[0]?.condition == .compare(key: "artist", .notEqual, .string("x")))
        #expect(parted[1]?.condition == nil && parted[2] == nil)
        #expect(scenario.focused(on: "Song") == scenario)
        #expect(scenario.haveSameEntity(scenario.phases[0], scenario.phases[2]))
        #expect((0...2).map { scenario.plantedAttributes(before: $0) } == [[0, 1], [0, 1, 2], [0, 1, 2]])
    }

    @Test(arguments: [
        (#""kind": "count", "from": "seeded", "entity": "Sing""#, "phases[0].entity", "Did you mean \"Song\"?"),
        (
            #""kind": "count", "from": "seeded", "filter": { "key": "artist", "op": "==", "value": "x" }"#,
            "phases[0].filter.key",
            "the attribute \"artist\", which only records of Song have; expected \"entity\": \"Song\" in the phase"
        ),
        (
            #""kind": "count", "from": "seeded", "entity": "Film", "filter": { "key": "artist", "op": "==", "value": "x" }"#,
            "phases[0].filter.key", "the attribute \"artist\", which only records of Song have"
        ),
        (
            #""kind": "count", "from": "seeded", "filter": { "key": "_ent", "op": "==", "value": 3 }"#,
            "phases[0].filter.key", "unknown attribute \"_ent\""
        ),
        (
            #""kind": "get", "from": "seeded", "count": 5"#, "phases[0].kind",
            "the kind get in a scenario with subentities; expected one of seed, fetch, reopen"
        ),
        (
            #""kind": "fetch", "mode": "async", "from": "seeded", "entity": "Song", "cancel_after_records": 50"#,
            "phases[0].cancel_after_records", "cancel_after_records of Song, of which a share of all records is made"
        ),
        (
            #""kind": "fetch", "mode": "sync", "from": "seeded", "entity": "Song", "cache": "cold""#, "phases[0].cache",
            "a cold fetch of Song alone; expected a fetch of all records"
        ),
        (
            #""kind": "count", "from": { "file": "library.sqlite" }"#, "phases[0].from",
            "a file, in a scenario whose Medium has subentities; expected a scenario without them"
        ),
        (
            #""kind": "insert", "from": "seeded", "records": 5, "entity": "Song""#, "phases[0].entity",
            "the kind insert about the subentity Song; expected one of fetch"
        ),
        (
            #""kind": "update", "mode": "per_object", "from": "seeded", "set": { "plays": { "generator": { "kind": "uniform", "min": 0, "max": 5 } } }"#,
            "phases[0].set", "values drawn by the keys of records, with subentities"
        ),
    ])
    func aPhaseThatCannotBeIsRefused(_ phase: String, _ place: String, _ reason: String) {
        assertInvalidScenario(json(phase), at: place, saying: reason)
    }

    /// Records of each entity need a value that an update can change.
    @Test func aLoadIsAboutRecordsOfEveryEntity() {
        let load =
            #""kind": "mixed", "from": "seeded", "workers": 2, "operation_count": 9, "operations": { "update": 1 }"#
        let unique = { (scenario: String) in
            scenario.replacing(
                #""name": "title", "type": "string", "generator": { "kind": "sequence", "prefix": "Title " }"#,
                with: #""name": "title", "type": "int64", "unique": true, "generator": { "kind": "sequence" }"#)
        }
        #expect(throws: Never.self) { try ScenarioFixture.read(unique(json(load))) }
        assertInvalidScenario(
            unique(json(load + #", "entity": "Song""#)), at: "phases[0].entity",
            saying: "the kind mixed about the subentity Song; expected one of fetch")
        let constant = unique(json(load)).replacing(
            #""kind": "uniform", "min": 0, "max": 9"#, with: #""kind": "constant", "value": 1"#)
        assertInvalidScenario(
            constant, at: "phases[0].operations", saying: "updates of an entity without a value to draw")
    }

    @Test func aConditionBesideThatOfAPhaseIsKept() {
        let (kind, first) = (FilterSpec.isOfKind(3), FilterSpec.compare(key: "plays", .less, .int64(3)))
        let second = FilterSpec.compare(key: "title", .greater, .string("a"))
        let cases: [(FilterSpec, Int64?, FilterSpec?)] = [
            (kind, 3, nil), (.and([kind, first]), 3, first),
            (.and([.and([kind, first]), second]), 3, .and([first, second])),
            (.and([kind, first, second]), 3, .and([first, second])), (.and([first, kind]), nil, .and([first, kind])),
        ]
        for (filter, number, condition) in cases {
            #expect(filter.partedByKind.number == number && filter.partedByKind.condition == condition)
        }
    }

    @Test func attributesFitIntoOneTable() {
        let attributes = (0..<99).map { Self.number("n\($0)") }.joined(separator: ", ")
        assertInvalidScenario(
            json(
                count,
                subentities: [
                    #"{ "name": "Clip", "superentity": "Medium", "share": 0.2, "attributes": [\#(attributes)] }"#
                ]),
            at: "entities[0]", saying: "101 attributes in one table; expected at most 100")
    }

    @Test func subentitiesThatCannotBeAreRefused() {
        let seed = #""kind": "seed", "from": "empty""#
        let twice = Self.film.replacing("minutes", with: "Plays")
        assertInvalidScenario(
            json(seed, subentities: [Self.song, twice]), at: "entities[2].attributes",
            saying: "a second attribute \"Plays\"")
        assertInvalidScenario(
            json(seed, subentities: [Self.song, Self.film.replacing("Film", with: "song")]),
            at: "entities[2].name", saying: "a second entity \"song\"")
        assertInvalidScenario(
            json(seed, subentities: [Self.song, Self.film.replacing("0.2", with: "0.6")]), at: "entities[1].share",
            saying: "shares of more than all records of Medium; expected shares whose sum is at most 1")
        assertInvalidScenario(
            json(seed, subentities: [Self.film.replacing("0.2", with: "0")]), at: "entities[1].share",
            saying: "a subentity without records; expected a share above 0")
        let unique = Self.film.replacing("\"null_share\": 0.5", with: "\"unique\": true")
        assertInvalidScenario(
            json(seed, subentities: [unique]), at: "entities[1].attributes",
            saying: "the unique attribute \"minutes\" of a subentity")
        assertInvalidScenario(
            json(seed, subentities: [Self.song.replacing("Medium", with: "Mediun")]), at: "entities[1].superentity",
            saying: "Did you mean \"Medium\"?")
        assertInvalidScenario(
            json(seed, subentities: [Self.song, Self.film.replacing("Medium", with: "Song")]),
            at: "entities[2].superentity", saying: "a superentity that inherits from another")
        assertInvalidScenario(
            json(seed, subentities: [Self.song.replacing("\"share\": 0.5", with: "\"records\": 5")]),
            at: "entities[1].records", saying: "expected \"share\", its part of all of them", mistakes: 2)
        assertInvalidScenario(
            json(seed, subentities: [Self.song.replacing("\"superentity\": \"Medium\", ", with: "")]),
            at: "entities[1].share", saying: "expected \"superentity\" beside it", mistakes: 2)
        let tag = { (entity: String) in
            #"{ "name": "Tag", "records": 2, "attributes": [\#(Self.number("n"))], "relationships": [{ "name": "of", "to": "\#(entity)", "inverse": "tags" }] }"#
        }
        assertInvalidScenario(
            json(seed, subentities: [Self.song, tag("Song")]), at: "entities[2].relationships[0].to",
            saying: "a relationship to Song, which inherits from another; expected Medium")
        assertInvalidScenario(
            json(seed, subentities: [Self.song, tag("Medium")]), at: "entities[2].relationships[0].to",
            saying: "from which others inherit, so that its records are not told by their keys")
    }

    /// A relationship of an entity that inherits leads nowhere from records of another kind.
    @Test func entitiesThatInheritHaveRelationshipsOfTheirOwn() throws {
        let song = Self.song.replacing(
            "\"Artist \" } } ]",
            with:
                "\"Artist \" } } ], \"relationships\": [{ \"name\": \"album\", \"to\": \"Album\", \"inverse\": \"songs\" }]"
        )
        let album = #"{ "name": "Album", "records": 7, "attributes": [\#(Self.number("year"))] }"#
        let scenario = try ScenarioFixture.read(json(count, subentities: [song, Self.film, album]))
        let entity = scenario.entity
        #expect(entity.attributes.map(\.name) == ["title", "plays", "artist", "minutes", EntitySpec.kindName, "album"])
        #expect(entity.kindAttribute == 4 && entity.toOneAttributes == 5..<6)
        let records = RecordGenerator(entity: entity, seed: 5)
        let kind = entity.number(ofKind: "Song")
        #expect(kind == 4)
        for ordinal in 0..<200 { #expect((records.value(5, ordinal) == .null) == (records.kind(ordinal) != kind)) }
    }
}
