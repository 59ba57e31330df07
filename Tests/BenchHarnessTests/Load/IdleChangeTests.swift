import Testing

@testable import BenchHarness

/// Saves that give a record the values that it already has: they may count as changes or not, and no others may.
@Suite struct IdleChangeTests {
    private let entity = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(
                name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1), isUnique: true),
            AttributeSpec(name: "text", type: .string, generator: .random(length: 12)),
            AttributeSpec(name: "flag", type: .bool, generator: .uniform(min: 0, max: 0.5)),
        ])
    private var generator: RecordGenerator { RecordGenerator(entity: entity, seed: 9) }
    private static let text = 1
    private static let flag = 2

    /// The flag of record 0 at its insertion.
    private var first: Bool { generator.bool(Self.flag, 0) }

    /// Returns the first revision from `least` on that gives the flag this value.
    private func revision(_ value: Bool, from least: UInt64) throws -> UInt64 {
        try #require((least..<(least + 100)).first { generator.revised($0).bool(Self.flag, 0) == value })
    }

    private func update(_ revision: UInt64, _ attributes: [Int] = [Self.flag]) -> LoadOperation {
        var operation = LoadOperation(.update)
        operation.changes = [0]
        operation.change = .attributes(attributes, revision: revision)
        return operation
    }

    /// One update of record 0, and the worker that did it in this time.
    private struct Step {
        var worker = 0
        var operation: LoadOperation
        var start: Int
        var end: Int
        var isAcknowledged = true
    }

    /// Returns the versions from 0 to 5 of record 0 that pass an audit, if it has the values after `last`.
    private func allowed(
        _ steps: [Step], last: LoadOperation, policy: ConflictPolicy = .error, set: [AttributeChange] = [],
        flag: Bool? = nil
    ) throws -> [Int] {
        let identity = try #require(RecordIdentity(entity))
        return (0...5).filter { version in
            var ledgers = (0..<2).map { _ in Ledger(repeating: entity.repeatingAttributes) }
            for step in steps {
                ledgers[step.worker].note(
                    step.operation, start: step.start, end: step.end, isAcknowledged: step.isAcknowledged)
            }
            var audit = LedgerAudit(
                ledgers, of: InitialRecords(generator: generator), identity: identity, seeded: 1, policy: policy,
                set: set)
            var values = (0..<3).map { generator.value($0, 0) }
            if case .attributes(let attributes, let revision) = last.change {
                for attribute in attributes { values[attribute] = generator.value(attribute, 0, revision: revision) }
            }
            if let flag { values[Self.flag] = .bool(flag) }
            audit.check(StoredRecord(values: values, version: version))
            return audit.finish().isEmpty
        }
    }

    @Test func aSaveOfTheValueThatTheRecordHasMayCountOrNot() throws {
        let equal = update(try revision(first, from: 1))
        #expect(try allowed([Step(operation: equal, start: 0, end: 1)], last: equal) == [1, 2])
    }

    @Test func aSaveOfAnotherValueMustCount() throws {
        let other = update(try revision(!first, from: 1))
        #expect(try allowed([Step(operation: other, start: 0, end: 1)], last: other) == [2])
    }

    @Test func theValueBeforeIsThatOfTheLastSave() throws {
        let other = try revision(!first, from: 1)
        let same = update(try revision(!first, from: other + 1))
        let back = update(try revision(first, from: other + 1))
        let start = Step(operation: update(other), start: 0, end: 1)
        #expect(try allowed([start, Step(operation: same, start: 2, end: 3)], last: same) == [2, 3])
        #expect(try allowed([start, Step(operation: back, start: 2, end: 3)], last: back) == [3])
        #expect(try allowed([start, Step(worker: 1, operation: back, start: 2, end: 3)], last: back) == [3])
    }

    @Test func savesThatOverlapMayHaveHappenedInEitherOrder() throws {
        let other = try revision(!first, from: 1)
        let same = update(try revision(!first, from: other + 1))
        let steps = [
            Step(operation: update(other), start: 0, end: 10), Step(worker: 1, operation: same, start: 3, end: 5),
        ]
        #expect(try allowed(steps, last: same) == [2, 3])
        #expect(try allowed(steps, last: same, policy: .objectTrump) == [2, 3])
    }

    @Test func oneOtherValueAmongSeveralIsAChange() throws {
        let both = update(try revision(first, from: 1), [Self.text, Self.flag])
        #expect(try allowed([Step(operation: both, start: 0, end: 1)], last: both) == [2])
    }

    @Test func aDoubtfulSaveMayHaveLeftTheValueThatALaterOneSaves() throws {
        let other = try revision(!first, from: 1)
        let same = update(try revision(!first, from: other + 1))
        let steps = [
            Step(operation: update(other), start: 0, end: 1, isAcknowledged: false),
            Step(operation: same, start: 2, end: 3),
        ]
        // One of them changed the record, or both did.
        #expect(try allowed(steps, last: same) == [2, 3])
    }

    @Test(arguments: [true, false])
    func whatTheScenarioAssignsChangesARecordOnce(value: Bool) throws {
        var save = LoadOperation(.save)
        let set = [AttributeChange(attribute: "flag", operation: .assign(.bool(value)))]
        (save.changes, save.change) = ([0], .set(set))
        let steps = [Step(operation: save, start: 0, end: 1), Step(worker: 1, operation: save, start: 2, end: 3)]
        let found = try allowed(steps, last: save, set: set, flag: value)
        #expect(found == (value == first ? [1, 2, 3] : [2, 3]))
    }

    @Test func whatIsToggledChangesEachTime() throws {
        var save = LoadOperation(.save)
        let set = [AttributeChange(attribute: "flag", operation: .toggle)]
        (save.changes, save.change) = ([0], .set(set))
        let steps = [Step(operation: save, start: 0, end: 1), Step(worker: 1, operation: save, start: 2, end: 3)]
        #expect(try allowed(steps, last: save, set: set, flag: first) == [3])
    }

    @Test func onlyAttributesOfFewValuesRepeat() {
        let generators: [(FieldType, Generator, Bool)] = [
            (.bool, .uniform(min: 0, max: 0.1), true), (.int64, .uniform(min: 0, max: 1_000), true),
            (.int64, .uniform(min: 0, max: 1e15), false), (.double, .uniform(min: 3, max: 3), true),
            (.double, .uniform(min: 0, max: 1), false), (.string, .random(length: 8), true),
            (.string, .random(length: 9), false), (.data, .random(length: 4), true),
            (.data, .random(length: 5), false), (.string, .constant(.string("a")), false),
        ]
        let entity = EntitySpec(
            name: "Item",
            attributes: generators.enumerated().map {
                AttributeSpec(name: "a\($0)", type: $1.0, generator: $1.1)
            })
        #expect(entity.repeatingAttributes == Set(generators.indices.filter { generators[$0].2 }))
    }
}
