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
            "work by the keys of the records of Medium, which has subentities, and to which no relationship leads"
        ),
        (
            #""kind": "custom", "from": "seeded", "operation": "tidy", "count": 5"#, "phases[0].kind",
            "the kind custom about Medium, which has subentities; expected one of seed, fetch, reopen"
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
            "phases[0].set", "by the keys of the records of Medium, which has subentities"
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
    }

    /// Tags of songs, of media, and of several songs.
    private static let tag = """
        { "name": "Tag", "records": 300, "attributes": [\(number("n"))], "relationships": [
          { "name": "song", "to": "Song", "inverse": "tags", "distribution": "zipfian" },
          { "name": "medium", "to": "Medium", "inverse": "marks" },
          { "name": "films", "to": "Film", "inverse": "labels", "count": 2, "count_max": 3 } ] }
        """

    @Test func aRelationshipToASubentityLeadsToItsRecordsAlone() throws {
        let get = #""kind": "get", "from": "seeded", "count": 5"#
        let scenario = try ScenarioFixture.read(json(count, get, subentities: [Self.song, Self.film, Self.tag]))
        let (media, tags) = (scenario.entities[0], scenario.entities[1])
        #expect(tags.toOnes.map(\.entityName) == ["Medium", "Medium"])
        #expect(tags.toOnes.map(\.target?.name) == ["Song", nil] && tags.links?.map(\.target?.name) == ["Film"])
        let back = scenario.schema.entities[0].relationships
        #expect(back.map(\.name) == ["tags", "marks", "labels"] && back.map(\.subentity) == ["Song", nil, "Film"])
        let (kinds, records) = (
            RecordGenerator(entity: media, seed: 5), RecordGenerator(entity: tags, seed: 5)
        )
        let drawn = (0..<300).map { Int(records.int64(1, $0)) - 1 }
        #expect(drawn.allSatisfy { kinds.kind($0) == media.number(ofKind: "Song") } && Set(drawn).count > 50)
        #expect(Set((0..<300).map { kinds.kind(Int(records.int64(2, $0)) - 1) }).count == 3)
        for ordinal in 0..<300 {
            let films = records.links(0, ordinal)
            #expect((2...3).contains(films.count))
            #expect(films.allSatisfy { kinds.kind(Int($0) - 1) == media.number(ofKind: "Film") })
        }
        #expect(try JSONDecoder().decode(Scenario.self, from: JSONEncoder().encode(scenario)) == scenario)
    }

    /// Of two records, perhaps none is a film.
    @Test func aRelationshipToAKindWithoutRecordsLeadsNowhere() throws {
        let scenario = try ScenarioFixture.read(json(count, subentities: [Self.song, Self.film, Self.tag]))
        let few = scenario.scaled(by: 0.001)
        let kinds = RecordGenerator(entity: few.entities[0], seed: 5)
        let songs = (0..<2).filter { kinds.kind($0) == few.entities[0].number(ofKind: "Song") }
        let records = RecordGenerator(entity: few.entities[1], seed: 5)
        for ordinal in 0..<9 {
            #expect(records.isNull(1, ordinal) == songs.isEmpty)
            if !songs.isEmpty { #expect(songs.contains(Int(records.int64(1, ordinal)) - 1)) }
        }
    }

    /// A change names the record by its place among those that the relationship may lead to.
    @Test func aMoveNamesARecordOfTheSubentity() throws {
        let move = #""kind": "update", "mode": "chunked", "from": "seeded", "entity": "Tag", "set": { "song": 7 }"#
        let scenario = try ScenarioFixture.read(json(move, subentities: [Self.song, Self.film, Self.tag]))
        let (media, work) = (scenario.entities[0], try #require(scenario.phases[0].work.as(UpdateWork.self)))
        let records = RecordGenerator(entity: media, seed: 5)
        let songs = (0..<2_000).filter { records.kind($0) == media.number(ofKind: "Song") }
        #expect(work.set.map(\.operation) == [.assign(.int64(Int64(songs[6]) + 1))])
        let scaled = try #require(scenario.scaled(by: 0.002).phases[0].work.as(UpdateWork.self))
        let last = try #require(songs.last { $0 < 4 })
        #expect(scaled.set.map(\.operation) == [.assign(.int64(Int64(last) + 1))])
        assertInvalidScenario(
            json(move.replacing("7", with: "1900"), subentities: [Self.song, Self.film, Self.tag]),
            at: "phases[0].set.song", saying: "record 1900 of Song; expected 1 to \(songs.count)")
    }

    @Test func aKeyLeadsToWhatAllRecordsHaveThatItLeadsTo() throws {
        let condition = { (key: String) in
            #""kind": "count", "from": "seeded", "entity": "Tag", "filter": { "key": "\#(key)", "op": "==", "value": "x" }"#
        }
        let entities = [Self.song, Self.film, Self.tag]
        for key in ["song.artist", "song.title", "medium.title", "medium.marks.song.artist"] {
            #expect(throws: Never.self) {
                try ScenarioFixture.read(self.json(condition(key), subentities: entities))
            }
        }
        let wrong = [
            ("medium.artist", "Song"), ("medium.tags.song.artist", "Song"), ("song.labels.medium.title", "Film"),
        ]
        for (key, owner) in wrong {
            assertInvalidScenario(
                json(condition(key), subentities: entities), at: "phases[0].filter.key",
                saying: "the key \"\(key)\", which leads on from records of \(owner) alone")
        }
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
