import Testing

@testable import BenchHarness

@Suite struct LoadSourceTests {
    private let entity = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(
                name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1), isUnique: true)
        ])

    private func source(_ operations: [OperationKind: Double], _ sequence: InsertSequence) -> LoadSource {
        let work = LoadWork(source: .mix(MixSpec(operations: operations)), workers: 1, pace: PaceSpec(operations: 9))
        return LoadSource(worker: 0, work: work, entity: entity, records: 10, sequence: sequence, seed: 1)
    }

    /// A record that is never inserted would keep all later ones from being used.
    @Test func theRecordOfADroppedInsertIsInsertedLater() {
        let sequence = InsertSequence(records: 10)
        var source = source([.insert: 1], sequence)
        let dropped = source.next()
        #expect(dropped.inserts == 10..<11)
        source.takeBack(dropped)
        let (again, next) = (source.next(), source.next())
        #expect(again.inserts == 10..<11 && next.inserts == 11..<12)
        source.settle(next, isDone: true)
        source.settle(again, isDone: true)
        #expect(sequence.count == 12)
    }

    @Test func theRecordOfADroppedDeletionIsDeletedLater() {
        let sequence = InsertSequence(records: 10)
        var source = source([.delete: 1], sequence)
        // There is nothing of its own to delete yet.
        let insert = source.next()
        source.settle(insert, isDone: true)
        let dropped = source.next()
        #expect(dropped.deletes == 10..<11)
        source.takeBack(dropped)
        #expect(source.next().deletes == 10..<11)
    }
}
