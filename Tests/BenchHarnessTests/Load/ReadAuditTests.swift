import Testing

@testable import BenchHarness

/// Each way in which a read can be wrong is made here, and must be found; a read that may have been right must pass.
@Suite struct ReadAuditTests {
    private let entity = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(
                name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1), isUnique: true),
            AttributeSpec(name: "text", type: .string, generator: .random(length: 12)),
            AttributeSpec(name: "other", type: .string, generator: .random(length: 12)),
        ])
    private var generator: RecordGenerator { RecordGenerator(entity: entity, seed: 9) }
    private let salt: UInt64 = 77

    /// The traces of two workers on a store of four records.
    private struct Load {
        var traces: [LoadTrace]

        init(_ sampling: TraceSampling) {
            traces = (0..<2).map { _ in LoadTrace(seeded: 4, isAscending: true, sampling: sampling) }
        }
    }

    /// A record with the attributes of these revisions, as a worker hands it over.
    private func read(_ ordinal: Int, version: Int?, text: UInt64? = nil, other: UInt64? = nil) -> ReadRecord {
        var reading = LoadReading(salt: salt)
        for (attribute, revision) in [nil, text, other].enumerated() {
            reading.values.add(
                revision.map { generator.value(attribute, ordinal, revision: $0) }
                    ?? generator.value(attribute, ordinal))
        }
        reading.endRecord(version: version)
        return reading.records[0]
    }

    private func reads(_ ordinal: Int, andWrites revision: UInt64? = nil) -> LoadOperation {
        var operation = LoadOperation(revision == nil ? .read : .readModifyWrite)
        operation.reads = [ordinal]
        if let revision {
            operation.changes = [ordinal]
            operation.change = .attributes([1], revision: revision)
        }
        return operation
    }

    private func updates(_ ordinal: Int, _ revision: UInt64, _ attributes: [Int] = [1]) -> LoadOperation {
        var operation = LoadOperation(.update)
        operation.changes = [ordinal]
        operation.change = .attributes(attributes, revision: revision)
        return operation
    }

    private func scans(_ range: Range<Int>) -> LoadOperation {
        var operation = LoadOperation(.scan)
        operation.scan = range
        return operation
    }

    private func problems(
        policy: ConflictPolicy = .error, needsVersions: Bool = true, limit: Int = 1_000,
        _ note: (inout [LoadTrace]) -> Void
    ) throws -> [String] {
        var load = Load(TraceSampling(salt: salt, limit: limit))
        note(&load.traces)
        var audit = ReadAudit(
            load.traces, of: InitialRecords(generator: generator, planted: [3: [1: .string("planted")]]),
            identity: try #require(RecordIdentity(entity)), seeded: 4, policy: policy, salt: salt,
            needsVersions: needsVersions)
        return audit.problems()
    }

    @Test func aReadOfWhatWasSeededPasses() throws {
        let found = try problems {
            $0[0].note(reads(2), [read(2, version: 1)], start: 0, end: 1, outcome: .done)
        }
        #expect(found == [])
    }

    @Test func aReadThatReadsNothingIsFound() throws {
        let nothing = try problems { $0[0].note(reads(2), [], start: 0, end: 1, outcome: .done) }
        #expect(nothing == ["a read handed over 0 records; expected 1"])
        var blank = LoadReading(salt: salt)
        blank.endRecord(version: 1)
        let noValues = try problems { $0[0].note(reads(2), blank.records, start: 0, end: 1, outcome: .done) }
        #expect(noValues == ["a read found values that record 2 never had"])
    }

    @Test func anotherRecordIsFound() throws {
        let found = try problems { $0[0].note(reads(2), [read(1, version: 1)], start: 0, end: 1, outcome: .done) }
        #expect(found == ["a read found values that record 2 never had"])
    }

    /// The generator cannot tell what was planted.
    @Test func aRecordThatTheGeneratorMadeUpIsFound() throws {
        let found = try problems { $0[0].note(reads(3), [read(3, version: 1)], start: 0, end: 1, outcome: .done) }
        #expect(found == ["a read found values that record 3 never had"])
    }

    @Test func aReadWithoutAVersionIsFound() throws {
        let note: (inout [LoadTrace]) -> Void = {
            $0[0].note(reads(2), [read(2, version: nil)], start: 0, end: 1, outcome: .done)
        }
        #expect(try problems(note).first?.hasPrefix("a read handed over no version of record 2") == true)
        #expect(try problems(needsVersions: false, note) == [])
    }

    @Test func aReadOfARememberedRecordIsFound() throws {
        let found = try problems {
            $0[1].note(updates(2, 5), [], start: 0, end: 10, outcome: .done)
            $0[0].note(reads(2), [read(2, version: 1)], start: 11, end: 12, outcome: .done)
        }
        #expect(found == ["a read found version 1 of record 2; version 2 was acknowledged before"])
    }

    @Test func rememberedValuesWithTheRightVersionAreFound() throws {
        let found = try problems {
            $0[1].note(updates(2, 5), [], start: 0, end: 10, outcome: .done)
            $0[0].note(reads(2), [read(2, version: 2)], start: 11, end: 12, outcome: .done)
        }
        #expect(found == ["a read found values of record 2 that belong to another version"])
    }

    /// Without versions, the times alone tell which values are out of date.
    @Test func rememberedValuesOfAStoreWithoutVersionsAreFound() throws {
        let found = try problems(needsVersions: false) {
            $0[1].note(updates(2, 5), [], start: 0, end: 10, outcome: .done)
            $0[0].note(reads(2), [read(2, version: nil)], start: 11, end: 12, outcome: .done)
        }
        #expect(found == ["a read found values of record 2 that belong to another version"])
    }

    @Test func aVersionThatNoSaveMadeIsFound() throws {
        let found = try problems {
            $0[0].note(reads(2), [read(2, version: 2, text: 5)], start: 0, end: 1, outcome: .done)
            $0[1].note(updates(2, 5), [], start: 2, end: 10, outcome: .done)
        }
        #expect(found == ["a read found version 2 of record 2, which has had no more than 1"])
    }

    /// A read may see a change at any moment of the change, and both or neither of its parts.
    @Test func aReadDuringAChangeMayFindEitherStateButNoMixture() throws {
        func outcome(_ record: ReadRecord) throws -> Bool {
            try problems {
                $0[1].note(updates(2, 5), [], start: 0, end: 10, outcome: .done)
                $0[0].note(reads(2), [record], start: 4, end: 6, outcome: .done)
            }.isEmpty
        }
        #expect(try outcome(read(2, version: 1)))
        #expect(try outcome(read(2, version: 2, text: 5)))
        #expect(try !outcome(read(2, version: 1, text: 5)))
        #expect(try !outcome(read(2, version: 2)))
    }

    /// Two changes at the same time may take effect in either order, but no version has only the one that is over.
    @Test func changesAtTheSameTimeMayTakeEffectInEitherOrder() throws {
        func outcome(_ record: ReadRecord) throws -> Bool {
            try problems {
                $0[0].note(updates(2, 5, [1]), [], start: 0, end: 10, outcome: .done)
                $0[1].note(updates(2, 6, [2]), [], start: 1, end: 9, outcome: .done)
                $0[0].note(reads(2), [record], start: 5, end: 20, outcome: .done)
            }.isEmpty
        }
        #expect(try outcome(read(2, version: 2, text: 5)) && outcome(read(2, version: 2, other: 6)))
        #expect(try outcome(read(2, version: 3, text: 5, other: 6)))
        #expect(try !outcome(read(2, version: 3, text: 5)) && !outcome(read(2, version: 3, other: 6)))
    }

    /// A failed change may have taken effect, or may do so later.
    @Test func aChangeInDoubtMayOrMayNotBeThere() throws {
        for record in [read(2, version: 1), read(2, version: 2, text: 5)] {
            let found = try problems {
                $0[1].note(updates(2, 5), [], start: 0, end: 10, outcome: nil)
                $0[0].note(reads(2), [record], start: 11, end: 12, outcome: .done)
            }
            #expect(found == [])
        }
    }

    @Test func twoChangesOfTheSameVersionAreALostUpdate() throws {
        func found(second: ReadRecord, policy: ConflictPolicy = .error) throws -> [String] {
            try problems(policy: policy) {
                $0[0].note(reads(2, andWrites: 5), [read(2, version: 1)], start: 0, end: 10, outcome: .done)
                $0[1].note(reads(2, andWrites: 6), [second], start: 1, end: 11, outcome: .done)
            }
        }
        #expect(
            try found(second: read(2, version: 1))
                == ["two operations read version 1 of record 2 and changed it: an update was lost"])
        #expect(try found(second: read(2, version: 2, text: 5)) == [])
        #expect(try found(second: read(2, version: 1), policy: .objectTrump) == [])
    }

    /// A read that comes before the change of the same operation cannot have found it.
    @Test func anOperationDoesNotReadWhatItWrites() throws {
        let found = try problems {
            $0[0].note(reads(2, andWrites: 5), [read(2, version: 2, text: 5)], start: 0, end: 10, outcome: .done)
        }
        #expect(found == ["a read found version 2 of record 2, which has had no more than 1"])
    }

    @Test func aRecordThatIsThereIsNotMissing() throws {
        let missing = try problems { $0[0].note(reads(2), [], start: 0, end: 1, outcome: .missing) }
        #expect(missing == ["a read reported record 2 as missing, although it was there"])
        var insert = LoadOperation(.insert)
        insert.inserts = 4..<5
        var delete = LoadOperation(.delete)
        delete.deletes = 4..<5
        func found(from start: Int, to end: Int) throws -> [String] {
            try problems {
                $0[0].note(insert, [], start: 10, end: 20, outcome: .done)
                $0[0].note(delete, [], start: 30, end: 40, outcome: .done)
                $0[1].note(reads(4), [], start: start, end: end, outcome: .missing)
            }
        }
        #expect(try found(from: 15, to: 16) == [] && found(from: 25, to: 35) == [] && found(from: 50, to: 51) == [])
        #expect(try found(from: 21, to: 29).count == 1)
    }

    @Test func aDeletedRecordIsNotRead() throws {
        var delete = LoadOperation(.delete)
        delete.deletes = 4..<5
        let found = try problems {
            $0[0].note(delete, [], start: 30, end: 40, outcome: .done)
            $0[1].note(reads(4), [read(4, version: 1)], start: 41, end: 42, outcome: .done)
        }
        #expect(found == ["a read found record 4, although its deletion was acknowledged before"])
    }

    @Test func aScanFindsEveryRecordInOrder() throws {
        func found(_ ordinals: [Int], of range: Range<Int>) throws -> [String] {
            try problems {
                var insert = LoadOperation(.insert)
                insert.inserts = 4..<7
                $0[0].note(insert, [], start: 0, end: 10, outcome: .done)
                let records = ordinals.map { read($0, version: 1) }
                $0[1].note(scans(range), records, start: 20, end: 21, outcome: .done)
            }
        }
        #expect(try found([0, 1], of: 0..<2) == [])
        #expect(try found([4, 5, 6], of: 4..<9) == [])
        #expect(try found([0], of: 0..<2) == ["a scan handed over 1 records; expected 2"])
        #expect(try found([1, 0], of: 0..<2).first == "a read found values that record 0 never had")
        #expect(
            try found([4, 6], of: 4..<9) == ["a scan from record 4 found something else in place of record 5"])
        #expect(try found([4, 5], of: 4..<9) == ["a scan from record 4 ended before record 6"])
    }

    /// Of too many reads, those of some records are judged.
    @Test func aLongLoadIsJudgedBySomeOfItsRecords() throws {
        var kept = 0
        let found = try problems(limit: 64) { traces in
            for round in 0..<200 {
                let ordinal = 100 + round % 100
                traces[round % 2].note(
                    reads(ordinal), [read(ordinal, version: 2)], start: round, end: round, outcome: .done)
            }
            traces[0].prune()
            kept = traces[0].reads.count
        }
        #expect((1...64).contains(kept))
        #expect(found.count > 1)
    }
}
