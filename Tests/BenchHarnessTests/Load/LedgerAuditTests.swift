import Testing

@testable import BenchHarness

/// A proof is worth what it refuses: each loss that a store could make is made here, and must be found.
@Suite struct LedgerAuditTests {
    private let entity = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(
                name: "number", type: .int64, generator: .sequence(prefix: "", start: 100, step: 2), isUnique: true),
            AttributeSpec(name: "text", type: .string, generator: .random(length: 8)),
            AttributeSpec(name: "done", type: .bool, generator: .constant(.bool(false))),
        ])
    private var generator: RecordGenerator { RecordGenerator(entity: entity, seed: 9) }

    private func record(_ ordinal: Int, revision: UInt64 = 0, version: Int = 1, done: Bool = false) -> StoredRecord {
        var record = StoredRecord(values: (0..<3).map { generator.value($0, ordinal) }, version: version)
        if revision > 0 { record.values[1] = generator.value(1, ordinal, revision: revision) }
        record.values[2] = .bool(done)
        return record
    }

    private func update(_ ordinal: Int, _ revision: UInt64) -> LoadOperation {
        var operation = LoadOperation(.update)
        operation.changes = [ordinal]
        operation.change = .attributes([1], revision: revision)
        return operation
    }

    private func insert(_ ordinals: Range<Int>) -> LoadOperation {
        var operation = LoadOperation(.insert)
        operation.inserts = ordinals
        return operation
    }

    private func problems(
        _ records: [StoredRecord], seeded: Int = 2, policy: ConflictPolicy = .error, set: [AttributeChange] = [],
        without lost: Set<Int> = [], _ note: (inout [Ledger]) -> Void = { _ in }
    ) throws -> [String] {
        var ledgers = [Ledger(), Ledger()]
        note(&ledgers)
        let identity = try #require(RecordIdentity(entity))
        var audit = LedgerAudit(
            ledgers, of: InitialRecords(generator: generator), identity: identity, seeded: seeded, policy: policy,
            set: set, unaccounted: UnaccountedLanes(lost) { $0.number })
        for record in records { audit.check(record) }
        return audit.finish()
    }

    @Test func storeWithEverythingInItPasses() throws {
        let found = try problems([record(0, revision: 7, version: 3), record(1), record(2)]) {
            $0[0].note(update(0, 5), start: 0, end: 1, isAcknowledged: true)
            $0[1].note(update(0, 7), start: 2, end: 3, isAcknowledged: true)
            $0[1].note(insert(2..<3), start: 4, end: 5, isAcknowledged: true)
        }
        #expect(found == [])
    }

    // MARK: - Shards without a ledger

    /// The first record that the lane of shard 1 inserts, and its key's record.
    private static let other = LoadLane(number: 1).firstInsert(after: 2)

    @Test func whatAnUnaccountedShardMayHaveDoneIsNoProblem() throws {
        // It changed both records, and inserted one which it changed.
        let records = [
            record(0, revision: 77, version: 4), record(1, revision: 78, version: 2),
            record(Self.other, revision: 79, version: 9),
        ]
        let note: (inout [Ledger]) -> Void = { $0[0].note(self.update(0, 5), start: 0, end: 1, isAcknowledged: true) }
        #expect(try problems(records, without: [1], note) == [])
        #expect(try !problems(records, note).isEmpty)
    }

    @Test func whatOtherShardsWereToldIsProvedWithoutOne() throws {
        let own = LoadLane(number: 2).firstInsert(after: 2)
        func found(_ records: [StoredRecord], _ note: (inout Ledger) -> Void) throws -> String? {
            try problems(records, without: [1]) { note(&$0[0]) }.first
        }
        let seeded = [record(0), record(1)]
        let lost = try found(seeded) { $0.note(insert(own..<own + 1), start: 0, end: 1, isAcknowledged: true) }
        #expect(lost == "record \(own) is gone, although its insertion was acknowledged")
        let uncounted = try found(seeded) { $0.note(update(0, 5), start: 0, end: 1, isAcknowledged: true) }
        #expect(uncounted?.hasPrefix("record 0 has version 1; expected 2 or more") == true)
        let overwritten = try found(seeded + [record(own, revision: 5, version: 3)]) {
            $0.note(insert(own..<own + 1), start: 0, end: 1, isAcknowledged: true)
            $0.note(update(own, 5), start: 2, end: 3, isAcknowledged: true)
        }
        #expect(overwritten?.hasPrefix("record \(own) has version 3; expected 2") == true)
        let torn = try found(seeded + [record(own)]) {
            $0.note(insert(own..<own + 2), start: 0, end: 1, isAcknowledged: false)
        }
        #expect(torn?.hasPrefix("1 of 2 records of one unacknowledged save are in the store") == true)
        #expect(try found([record(1)]) { _ in } == "record 0 is gone, although no worker deleted it")
    }

    @Test func recordsOfALaneThatHasALedgerAreNotExcused() throws {
        let found = try problems([record(0), record(1), record(Self.other)], without: [2])
        #expect(found == ["record \(Self.other) is there, although no worker inserted it"])
    }

    /// Another process may have set the same value before.
    @Test func aChangeWithoutEffectNeedNotCountBesidesAnUnaccountedShard() throws {
        let set = [AttributeChange(attribute: "done", operation: .toggle)]
        func operation(_ ordinal: Int) -> LoadOperation {
            var operation = LoadOperation(.save)
            (operation.changes, operation.change) = ([ordinal], .set(set))
            return operation
        }
        let note: (inout [Ledger]) -> Void = {
            for time in 0..<3 { $0[0].note(operation(0), start: time, end: time, isAcknowledged: true) }
        }
        #expect(try problems([record(0, version: 4, done: true), record(1)], set: set, without: [1], note) == [])
        let short = try problems([record(0, version: 3, done: true), record(1)], set: set, without: [1], note)
        #expect(short.first?.contains("version 3; expected 4 or more") == true)
    }

    // MARK: - Losses

    @Test func lostRecordIsFound() throws {
        #expect(try problems([record(0)]).first?.contains("record 1 is gone") == true)
    }

    @Test func lostInsertIsFound() throws {
        let found = try problems([record(0), record(1)]) {
            $0[0].note(insert(2..<3), start: 0, end: 1, isAcknowledged: true)
        }
        #expect(found == ["record 2 is gone, although its insertion was acknowledged"])
    }

    @Test func aRecordThatNoWorkerInsertedIsFound() throws {
        #expect(
            try problems([record(0), record(1), record(2)])
                == ["record 2 is there, although no worker inserted it"])
        #expect(try problems([record(0), record(1), record(1)]) == ["record 1 is there twice"])
    }

    @Test func deletedRecordThatIsThereIsFound() throws {
        var delete = LoadOperation(.delete)
        delete.deletes = 1..<2
        let note: (inout [Ledger]) -> Void = { $0[0].note(delete, start: 0, end: 1, isAcknowledged: true) }
        #expect(try problems([record(0)], note) == [])
        #expect(try problems([record(0), record(1)], note).count == 1)
    }

    @Test(arguments: [ConflictPolicy.error, .objectTrump, .overwrite, .storeTrump])
    func deletedRecordOutlivesAChangeOnlyWhereTheStoreWins(policy: ConflictPolicy) throws {
        var delete = LoadOperation(.delete)
        delete.deletes = 2..<3
        let found = try problems([record(0), record(1), record(2, revision: 5, version: 2)], policy: policy) {
            $0[0].note(insert(2..<3), start: 0, end: 1, isAcknowledged: true)
            $0[1].note(update(2, 5), start: 3, end: 4, isAcknowledged: true)
            $0[0].note(delete, start: 2, end: 5, isAcknowledged: true)
        }
        #expect(found.isEmpty == (policy == .storeTrump), "\(found)")
    }

    @Test func lostUpdateIsFoundByItsValue() throws {
        let found = try problems([record(0, revision: 5, version: 3), record(1)]) {
            $0[0].note(update(0, 5), start: 0, end: 1, isAcknowledged: true)
            $0[1].note(update(0, 7), start: 2, end: 3, isAcknowledged: true)
        }
        #expect(found == ["text of record 0 is not the value written last"])
    }

    @Test func lostUpdateIsFoundByItsVersion() throws {
        let found = try problems([record(0, revision: 7, version: 2), record(1)]) {
            $0[0].note(update(0, 5), start: 0, end: 1, isAcknowledged: true)
            $0[1].note(update(0, 7), start: 2, end: 3, isAcknowledged: true)
        }
        #expect(found.first?.contains("version 2; expected 3") == true)
    }

    @Test func eitherOfTwoUpdatesAtTheSameTimeMayBeTheLast() throws {
        for revision: UInt64 in [5, 7] {
            let found = try problems([record(0, revision: revision, version: 3), record(1)]) {
                $0[0].note(update(0, 5), start: 0, end: 10, isAcknowledged: true)
                $0[1].note(update(0, 7), start: 3, end: 5, isAcknowledged: true)
            }
            #expect(found == [])
        }
    }

    @Test func recordSavedAsAWholeMayBringBackWhatWasRead() throws {
        for (policy, isRight) in [(ConflictPolicy.overwrite, true), (.objectTrump, false)] {
            let found = try problems([record(0, revision: 5, version: 3), record(1)], policy: policy) {
                $0[0].note(update(0, 5), start: 0, end: 1, isAcknowledged: true)
                $0[1].note(update(0, 7), start: 2, end: 3, isAcknowledged: true)
            }
            #expect(found.isEmpty == isRight)
        }
    }

    @Test func unacknowledgedUpdateMayBeThereOrNot() throws {
        for (revision, version) in [(UInt64(0), 1), (5, 2)] {
            let found = try problems([record(0, revision: revision, version: version), record(1)]) {
                $0[0].note(update(0, 5), start: 0, end: 1, isAcknowledged: false)
            }
            #expect(found == [])
        }
    }

    @Test func unacknowledgedSaveInPartIsFound() throws {
        let found = try problems([record(0), record(1), record(2)]) {
            $0[0].note(insert(2..<4), start: 0, end: 1, isAcknowledged: false)
        }
        #expect(found == ["1 of 2 records of one unacknowledged save are in the store; expected all or none"])
    }

    @Test func tornRecordIsFound() throws {
        var torn = record(0)
        torn.values[1] = .string("")
        #expect(try problems([torn, record(1)]) == ["text of record 0 is not the value written last"])
    }

    @Test func changesOfTheScenarioAreCounted() throws {
        let toggle = [AttributeChange(attribute: "done", operation: .toggle)]
        var save = LoadOperation(.save)
        save.changes = [0]
        save.change = .set(toggle)
        for (isDone, isRight) in [(false, true), (true, false)] {
            let found = try problems([record(0, version: 3, done: isDone), record(1)], set: toggle) {
                $0[0].note(save, start: 0, end: 1, isAcknowledged: true)
                $0[1].note(save, start: 2, end: 3, isAcknowledged: true)
            }
            #expect(found.isEmpty == isRight, "\(found)")
        }
    }

    // MARK: From one audit to the next

    /// What is wrong with `later`, when `earlier` was looked at before, and what a worker was told in between.
    private func problems(
        _ earlier: [StoredRecord], _ note: (inout Ledger) -> Void, then later: [StoredRecord],
        _ noteLater: (inout Ledger) -> Void = { _ in }
    ) throws -> [String] {
        var (first, second) = (Ledger(), Ledger())
        note(&first)
        var audit = try audit([first])
        for record in earlier { audit.check(record) }
        #expect(audit.finish() == [])
        noteLater(&second)
        var next = try self.audit([audit.settled, second])
        for record in later { next.check(record) }
        return next.finish()
    }

    private func audit(_ ledgers: [Ledger]) throws -> LedgerAudit {
        LedgerAudit(
            ledgers, of: InitialRecords(generator: generator), identity: try #require(RecordIdentity(entity)),
            seeded: 2, policy: .error)
    }

    @Test func storeThatIsWorkedOnAgainPasses() throws {
        let found = try problems(
            [record(0, revision: 5, version: 2), record(1), record(2)],
            {
                $0.note(update(0, 5), start: 0, end: 1, isAcknowledged: false)
                $0.note(insert(2..<3), start: 2, end: 3, isAcknowledged: true)
            },
            then: [record(0, revision: 7, version: 3), record(1), record(2, revision: 8, version: 2)],
            {
                $0.note(update(0, 7), start: 4, end: 5, isAcknowledged: true)
                $0.note(update(2, 8), start: 6, end: 7, isAcknowledged: true)
            })
        #expect(found == [])
    }

    @Test func lossCannotHideBehindADoubtfulUpdateThatWasDone() throws {
        let found = try problems(
            [record(0, revision: 5, version: 2), record(1)],
            { $0.note(update(0, 5), start: 0, end: 1, isAcknowledged: false) },
            then: [record(0, revision: 7, version: 2), record(1)],
            { $0.note(update(0, 7), start: 4, end: 5, isAcknowledged: true) })
        #expect(found.first?.contains("version 2; expected 3") == true)
    }

    @Test func whatWasFoundMustNotGoBack() throws {
        let found = try problems(
            [record(0, revision: 5, version: 2), record(1)],
            { $0.note(update(0, 5), start: 0, end: 1, isAcknowledged: false) }, then: [record(0), record(1)])
        #expect(found.count == 2, "\(found)")
    }

    @Test func doubtfulInsertMustNotComeBack() throws {
        let found = try problems(
            [record(0), record(1)], { $0.note(insert(2..<3), start: 0, end: 1, isAcknowledged: false) },
            then: [record(0), record(1), record(2)])
        #expect(found == ["record 2 is there, although no worker inserted it"])
    }

    @Test func doubtfulSavesThatWereDoneAreCounted() throws {
        var ledger = Ledger()
        ledger.note(update(0, 5), start: 0, end: 1, isAcknowledged: false)
        ledger.note(insert(2..<3), start: 0, end: 1, isAcknowledged: false)
        ledger.note(insert(3..<4), start: 0, end: 1, isAcknowledged: false)
        var audit = try audit([ledger])
        for record in [record(0, revision: 5, version: 2), record(1), record(2)] { audit.check(record) }
        #expect(audit.finish() == [])
        #expect(audit.doubtfulDone == 2)
    }

    @Test(arguments: [(isChanged: true, isDeleted: true), (true, false), (false, true), (false, false)])
    func doubtfulSaveIsDoneWhollyOrNotAtAll(isChanged: Bool, isDeleted: Bool) throws {
        var save = LoadOperation(.save)
        (save.changes, save.change, save.deletes) = ([0], .set([]), 2..<3)
        let records =
            [record(0, version: isChanged ? 2 : 1), record(1)] + (isDeleted ? [] : [record(2)])
        let found = try problems(records) {
            $0[0].note(insert(2..<3), start: 0, end: 1, isAcknowledged: true)
            $0[0].note(save, start: 2, end: 3, isAcknowledged: false)
        }
        #expect(
            found
                == (isChanged == isDeleted
                    ? [] : ["the store holds a part of an unacknowledged save; expected all of it or nothing"]))
    }
}
