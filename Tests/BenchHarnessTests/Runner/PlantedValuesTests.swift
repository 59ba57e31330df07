import Foundation
import Testing

@testable import BenchHarness

@Suite struct PlantedValuesTests {
    private func scenario(_ phases: [Phase.Work] = [.fetch(FetchWork(mode: .sync))]) -> Scenario {
        Scenario(
            name: "planted", records: 5_000,
            entity: EntitySpec(
                name: "Sample",
                attributes: [
                    AttributeSpec(
                        name: "key", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1), isUnique: true),
                    AttributeSpec(name: "title", type: .string, generator: .random(length: 12)),
                    AttributeSpec(name: "name", type: .string, generator: .sequence(prefix: "N ", start: 0, step: 1)),
                    AttributeSpec(name: "at", type: .date, generator: .uniform(min: 0, max: 1_000)),
                    AttributeSpec(name: "done", type: .bool, generator: .uniform(min: 0, max: 0.5)),
                    AttributeSpec(name: "note", type: .string, generator: .constant(.null)),
                ]),
            phases: phases.map { Phase(name: "phase", from: .seeded, work: $0) })
    }

    private func drawn(_ scenario: Scenario, seed: UInt64 = 1) throws -> PlantedValues {
        var random = SplitMix64(state: seed)
        return try #require(
            PlantedValues(
                for: scenario, before: 0, RecordGenerator(entity: scenario.entity, seed: scenario.seed), using: &random)
        )
    }

    @Test func oneRecordInAThousandGetsValuesThatTheGeneratorDoesNotMake() throws {
        let scenario = scenario()
        let generator = RecordGenerator(entity: scenario.entity, seed: scenario.seed)
        let values = try drawn(scenario)
        #expect((1...5).contains(values.records.count))
        for (ordinal, record) in values.records {
            #expect(Set(record.keys) == [1, 2, 3])
            for (attribute, value) in record {
                let old = generator.value(attribute, ordinal)
                #expect(value != old && value.bytes?.count == old.bytes?.count)
            }
        }
        #expect(try drawn(scenario, seed: 2) != values)
    }

    /// The value of another record would be missing where that is of another entity.
    @Test func aRecordGetsValuesOfTheEntityThatItIsOf() throws {
        let numbers = ["of first", "of second"].map {
            AttributeSpec(name: $0, type: .int64, generator: .uniform(min: 0, max: 1_000_000))
        }
        var scenario = scenario()
        scenario.records = 100_000
        scenario.entity = EntitySpec(
            name: "Sample", attributes: [],
            subentities: [
                (SubentitySpec(name: "First", share: 0.4), [numbers[0]]),
                (SubentitySpec(name: "Second", share: 0.4), [numbers[1]]),
            ])
        let generator = RecordGenerator(entity: scenario.entity, seed: scenario.seed)
        #expect(scenario.plantedAttributes(before: 0) == [0, 1])
        var kinds: Set<Int64> = []
        for (ordinal, record) in try drawn(scenario).records {
            let kind = generator.kind(ordinal)
            kinds.insert(kind)
            #expect(record.mapValues { $0 == .null } == [0: kind != 2, 1: kind != 3])
        }
        #expect(kinds == [1, 2, 3])
    }

    @Test func whatDecidesTheWorkOfAPhaseStays() {
        let sorted = FetchWork(mode: .sync, sort: [SortSpec(key: "at")])
        #expect(scenario([.fetch(sorted)]).plantedAttributes(before: 0) == [1, 2])
        let filtered = UpdateWork(
            mode: .batch, set: [], filter: .not(.compare(key: "title", .equal, .string("a"))))
        var both = scenario([.fetch(sorted), .update(filtered)])
        #expect([0, 1].map { both.plantedAttributes(before: $0) } == [[1, 2], [2, 3]])
        both.phases[1].from = .previous
        #expect(both.plantedAttributes(before: 0) == [2])
        let first = DeleteWork(mode: .batch, sort: [SortSpec(key: "at")], limit: 5)
        #expect(scenario([.delete(first)]).plantedAttributes(before: 0) == [1, 2])
        let saves = SaveSpec(
            mode: .controller, insertsPerSave: 1, changesPerSave: 1, deletesPerSave: 0, set: [],
            sort: [SortSpec(key: "at")])
        let load = LoadWork(source: .saves(saves), workers: 1, pace: PaceSpec(operations: 1))
        #expect(scenario([.load(load)]).plantedAttributes(before: 0) == [1, 2])
        #expect(scenario([.load(load)]).plantsValues)
    }

    @Test func theExpectedStoreHasThem() throws {
        let scenario = scenario()
        var store = ExpectedStore(generator: RecordGenerator(entity: scenario.entity, seed: scenario.seed))
        store.seed(records: scenario.records)
        let before = store.digest()
        let values = try drawn(scenario)
        store.append(values)
        #expect(store.digest() != before)
        let (ordinal, record) = try #require(values.records.first)
        #expect(store.record(ordinal)?[1] == record[1])
    }
}
