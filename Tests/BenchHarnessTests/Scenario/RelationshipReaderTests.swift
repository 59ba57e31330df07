import Foundation
import Testing

@testable import BenchHarness

@Suite struct RelationshipReaderTests {
    private let fetch = #""kind": "fetch", "from": "seeded", "mode": "sync""#

    private func work(_ phase: String) throws -> Phase.Work {
        try #require(ScenarioFixture.read(ListFixture.json(phase)).phases.first).work
    }

    @Test func aRelationshipIsOneMoreAttribute() throws {
        let entities = try ScenarioFixture.read(ListFixture.json(fetch)).entities
        #expect(entities == [ListFixture.item, ListFixture.list])
        let entity = entities[0]
        #expect(entity.attributes.map(\.name) == ["name", "list"])
        #expect(entity.attributesOfItsOwn.map(\.name) == ["name"])
    }

    @Test func relationshipsAreFollowedFilteredThroughAndSet() throws {
        let toRecords = FollowSpec(relationship: "items", prefetch: true)
        #expect(
            try work(fetch + #", "entity": "List", "follow": { "relationship": "items", "prefetch": true }"#)
                == .fetch(FetchWork(mode: .sync, follow: toRecords)))
        let filter = FilterSpec.compare(key: "list.title", .endsWith, .string("7"))
        #expect(
            try work(fetch + #", "filter": { "key": "list.title", "op": "ends_with", "value": "7" }"#)
                == .fetch(FetchWork(mode: .sync, filter: filter)))
        let sort = [SortSpec(key: "list.title", ascending: false), SortSpec(key: "name")]
        #expect(
            try work(fetch + #", "sort": [{ "key": "list.title", "ascending": false }, { "key": "name" }]"#)
                == .fetch(FetchWork(mode: .sync, sort: sort)))
        let set = [AttributeChange(attribute: "list", operation: .assign(.int64(7)))]
        #expect(
            try work(#""kind": "update", "from": "seeded", "mode": "batch", "set": { "list": 7 }"#)
                == .update(UpdateWork(mode: .batch, set: set)))
    }

    @Test func whatCannotBeIsAnsweredWithItsPlace() {
        let wrong: [(phase: String, path: String, words: String)] = [
            (fetch + #", "follow": { "relationship": "lits" }"#, "follow.relationship", #"Did you mean "list"?"#),
            (fetch + #", "touch": "none", "follow": { "relationship": "list" }"#, "follow", "touching everything"),
            (
                #""kind": "fetch", "from": "seeded", "mode": "async", "follow": { "relationship": "list" }"#, "follow",
                "mode sync"
            ),
            (fetch + #", "filter": { "key": "list.titel", "op": "==", "value": "" }"#, "filter.key", "list.title"),
            (fetch + #", "sort": [{ "key": "list" }]"#, "sort[0].key", #"unknown attribute "list""#),
            (fetch + #", "sort": [{ "key": "list.titel" }]"#, "sort[0].key", #"Did you mean "list.title"?"#),
            (
                fetch + #", "sort": [{ "key": "list.title" }, { "key": "list.title" }]"#, "sort[1].key",
                #"the sort key "list.title" a second time"#
            ),
            (
                fetch + #", "sort": [{ "key": "list.title" }], "attributes": ["name"]"#, "attributes",
                "expected no attributes, or no sort by those of related records"
            ),
            (
                #""kind": "page", "from": "seeded", "by": "key", "page_records": 5, "sort": [{ "key": "list.title" }]"#,
                "sort", "pages in an order that leaves records equal"
            ),
            (
                #""kind": "update", "from": "seeded", "mode": "batch", "set": { "list": 11 }"#, "set.list",
                "from 1 to 10"
            ),
            (
                #"""
                "kind": "merge", "from": "seeded", "writers": 1, "saves_per_writer": 1, "inserts_per_save": 1,
                "changes_per_save": 1, "deletes_per_save": 0, "set": { "list": 3 }
                """#, "set", #"a move to another "list" in saves of several records; expected an update"#
            ),
        ]
        for (phase, path, words) in wrong {
            assertInvalidScenario(ListFixture.json(phase), at: "phases[0].\(path)", saying: words)
        }
        assertInvalidScenario(
            replacing: #""mode": "async", "touch": "none","#,
            with: #""mode": "sync", "follow": { "relationship": "list" },"#, at: "phases[1].follow.relationship",
            saying: "which has none; expected an entity with relationships", mistakes: 2)
    }

    @Test func scalingLeavesNoRecordWithoutWhatItLeadsTo() throws {
        let phase = #""kind": "update", "from": "seeded", "mode": "batch", "set": { "list": 7 }"#
        let scaled = try ScenarioFixture.read(ListFixture.json(phase)).scaled(by: 0.3)
        #expect(scaled.entity.toOnes[0].records == 3 && scaled.entities[1].records == 3)
        guard let work = scaled.phases[0].work.as(UpdateWork.self) else { throw CancellationError() }
        #expect(work.set == [AttributeChange(attribute: "list", operation: .assign(.int64(3)))])
        let records = RecordGenerator(entity: scaled.entity, seed: 3)
        #expect(Set((0..<100).map { records.int64(1, $0) }) == [1, 2, 3])
    }

    @Test func fewerRecordsLeadToFewer() throws {
        let sized = {
            ListFixture.json($0).replacingOccurrences(of: #""records": 200"#, with: #""records": [20, 100, 200]"#)
        }
        let scenario = try ScenarioFixture.read(sized(#""kind": "seed", "from": "empty""#))
        #expect(scenario.entity.toOnes[0].records == 10)
        #expect(scenario.allSizes.map { scenario.at(records: $0).entity.toOnes[0].records } == [1, 5, 10])
        let half = scenario.scaled(by: 0.5)
        #expect(half.allSizes.map { half.at(records: $0).entity.toOnes[0].records } == [1, 3, 5])
        assertInvalidScenario(
            sized(#""kind": "update", "from": "seeded", "mode": "batch", "set": { "list": 2 }"#),
            at: "phases[0].set.list",
            saying: "from 1 to 1")
    }
}
