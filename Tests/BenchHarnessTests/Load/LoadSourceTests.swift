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
        return LoadSource(
            worker: 0, work: work, generator: RecordGenerator(entity: entity, seed: 1), records: 10,
            sequence: sequence, seed: 1)
    }

    /// The time of an operation would otherwise include the making of its values.
    @Test func anOperationComesWithTheValuesThatItWrites() throws {
        let text = AttributeSpec(name: "text", type: .string, generator: .random(length: 8))
        let entity = EntitySpec(name: "Item", attributes: entity.attributes + [text])
        let generator = RecordGenerator(entity: entity, seed: 1)
        for kind in [OperationKind.insert, .update] {
            let work = LoadWork(source: .mix(MixSpec(operations: [kind: 1])), workers: 1, pace: PaceSpec(operations: 1))
            var source = LoadSource(
                worker: 0, work: work, generator: generator, records: 10, sequence: InsertSequence(records: 10), seed: 1
            )
            let operation = source.next()
            if kind == .insert {
                #expect(operation.inserted == [[.int64(10), generator.value(1, 10)]])
            } else if case .attributes(let attributes, let revision) = operation.change {
                let ordinal = try #require(operation.changes.first)
                #expect(attributes == [1])
                #expect(operation.assigned == [[generator.value(1, ordinal, revision: revision)]])
            }
        }
    }

    @Test func anUpdateDrawsValuesOfTheEntityThatARecordIsOf() throws {
        let numbers = ["shared", "ofSong", "ofFilm"].map {
            AttributeSpec(name: $0, type: .int64, generator: .uniform(min: 0, max: 9))
        }
        let entity = EntitySpec(
            name: "Medium", attributes: entity.attributes + numbers.prefix(1),
            subentities: [
                (SubentitySpec(name: "Song", share: 0.4), [numbers[1]]),
                (SubentitySpec(name: "Film", share: 0.4), [numbers[2]]),
            ])
        #expect(entity.changeableAttributes == [1: [1], 2: [1, 3], 3: [1, 2]])
        let generator = RecordGenerator(entity: entity, seed: 1)
        let spec = MixSpec(operations: [.update: 1], fieldsPerUpdate: 0)
        var source = LoadSource(
            worker: 0, work: LoadWork(source: .mix(spec), workers: 1, pace: PaceSpec(operations: 1)),
            generator: generator, records: 10, sequence: InsertSequence(records: 10), seed: 1)
        var kinds: Set<Int64> = []
        for _ in 0..<50 {
            let operation = source.next()
            let kind = generator.kind(try #require(operation.changes.first))
            kinds.insert(kind)
            guard case .attributes(let attributes, _) = operation.change else { continue }
            #expect(attributes == entity.changeableAttributes[kind])
            #expect(!operation.assigned.joined().contains(.null))
        }
        #expect(kinds == [1, 2, 3])
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
