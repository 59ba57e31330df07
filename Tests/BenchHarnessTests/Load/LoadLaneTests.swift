import Testing

@testable import BenchHarness

@Suite struct LoadLaneTests {
    private let work = LoadWork(
        source: .mix(MixSpec(operations: [.insert: 1, .update: 1])), workers: 2, pace: PaceSpec(operations: 1))
    private let entity = EntitySpec(
        name: "Item", attributes: [AttributeSpec(name: "text", type: .string, generator: .random(length: 8))])

    /// What the workers of a lane do first, all of it acknowledged.
    private func operations(lane: Int) -> [LoadOperation] {
        let lane = LoadLane(number: lane)
        let sequence = InsertSequence(records: 10, first: lane.firstInsert(after: 10))
        return (0..<2).flatMap { worker in
            var source = LoadSource(
                worker: worker, work: work, generator: RecordGenerator(entity: entity, seed: 1), records: 10,
                sequence: sequence, seed: 1, lane: lane)
            return (0..<200).map { _ in
                let operation = source.next()
                source.settle(operation, isDone: true)
                return operation
            }
        }
    }

    @Test func workersOfDifferentProcessesDoNotMeet() {
        let operations = [0, 1, 2, 1_000_000].flatMap(operations)
        let inserts = operations.flatMap(\.inserts)
        #expect(Set(inserts).count == inserts.count)
        let revisions = operations.filter { !$0.changes.isEmpty }.map { operation in
            if case .attributes(_, let revision) = operation.change { revision } else { UInt64(0) }
        }
        #expect(Set(revisions).count == revisions.count && !revisions.contains(0))
    }

    @Test func processChangesWhatWasThereAndWhatItInserted() {
        let operations = operations(lane: 3)
        let inserts = Set(operations.flatMap(\.inserts))
        let changes = Set(operations.flatMap(\.changes))
        #expect(changes.isSubset(of: inserts.union(0..<10)))
        #expect(!changes.isDisjoint(with: inserts) && !changes.isDisjoint(with: 0..<10))
    }
}
