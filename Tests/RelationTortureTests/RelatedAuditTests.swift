import Testing

@testable import BenchHarness
@testable import RelationTorture

/// What is right and what is wrong with related records, of which the first half are strict workers'.
@Suite struct RelatedAuditTests {
    private static let seeded = 8
    private let start = RelatedPlan.seed(seeded)

    private func mark(_ account: Int, _ revision: Int, balance: Int = 1_000, list: Int? = nil) -> RelatedMark {
        RelatedMark(account: account, revision: revision, balance: balance, list: list ?? account)
    }

    private func reading(_ saves: (RelatedOperation, [RelatedMark])..., doubtful: [RelatedOperation] = [])
        -> RelatedReading
    {
        var reading = RelatedReading()
        reading.acknowledged = saves.map { RelatedReading.Save(operation: $0.0, marks: $0.1) }
        reading.doubtful = doubtful
        return reading
    }

    private func losses(
        _ reading: RelatedReading, _ change: (inout RelatedRecords) -> Void
    ) -> [String] {
        var records = start
        change(&records)
        return RelatedAudit(settled: start, readings: [reading], seeded: Self.seeded).losses(records)
    }

    private let transfer = RelatedOperation(.transfer, .error, [0, 1], amount: 7)

    private func transferred(_ records: inout RelatedRecords) {
        for (account, balance) in [(0, 993), (1, 1_007)] {
            (records.accounts[account].balance, records.accounts[account].revision) = (balance, 2)
        }
    }

    private var saved: RelatedReading {
        reading((transfer, [mark(0, 2, balance: 993), mark(1, 2, balance: 1_007)]))
    }

    @Test func whatWasAcknowledgedIsThere() {
        #expect(losses(reading()) { _ in } == [])
        #expect(losses(saved, transferred) == [])
    }

    @Test func aLostSaveIsFound() {
        let found = losses(saved) { _ in }
        #expect(found.count == 2 && found[0].contains("revision 1, although revision 2 was acknowledged"))
    }

    @Test func aSaveThatIsInDoubtMayBeDoneOrNot() {
        #expect(losses(reading(doubtful: [transfer])) { _ in } == [])
        #expect(losses(reading(doubtful: [transfer]), transferred) == [])
        var records = start
        let audit = RelatedAudit(settled: start, readings: [reading(doubtful: [transfer])], seeded: Self.seeded)
        #expect(audit.doubtful == 1 && audit.doubtfulDone(records) == 0)
        transferred(&records)
        #expect(audit.doubtfulDone(records) == 1)
    }

    @Test func halfATransferIsFound() {
        let found = losses(reading(doubtful: [transfer])) {
            ($0.accounts[0].balance, $0.accounts[0].revision) = (993, 2)
        }
        #expect(found == ["the balances add up to 3993; expected 4000"])
    }

    @Test func aSaveOfNoWorkerIsFound() {
        #expect(
            losses(reading()) { $0.accounts[2].revision = 2 }.first?.contains("1 more than were acknowledged") == true)
    }

    @Test func twoSavesThatDidNotSeeEachOtherAreFound() {
        let move = RelatedOperation(.move, .error, [0])
        let reading = reading((move, [mark(0, 2)]), (move, [mark(0, 2)]))
        #expect(losses(reading) { $0.accounts[0].revision = 2 }.first?.contains("the same revision") == true)
    }

    @Test func aListThatWasNotSavedIsFound() {
        let move = RelatedOperation(.move, .error, [0])
        let found = losses(reading((move, [mark(0, 2, list: 5)]))) { $0.accounts[0].revision = 2 }
        #expect(found == ["account 0 was saved with 1000 in list 5, and has 1000 in list 0"])
    }

    @Test func insertedAndDeletedAccountsAreFollowed() {
        // The first worker of the first process is strict.
        let number = 1_000_000
        let insert = RelatedOperation(.insert, .error, [number])
        let delete = RelatedOperation(.delete, .error, [number])
        let inserted = reading((insert, [mark(number, 1, balance: 0, list: 0)]))
        let add = { (records: inout RelatedRecords) in
            var account = RelatedRecords.Account(number: number)
            account.list = 0
            records.accounts.append(account)
        }
        #expect(losses(inserted, add) == [])
        #expect(losses(inserted) { _ in } == ["account \(number) is lost"])
        #expect(losses(reading(doubtful: [insert])) { _ in } == [])
        #expect(
            losses(inserted) {
                add(&$0); add(&$0)
            } == ["account \(number) exists 2 times"])
        let deleted = reading((insert, [mark(number, 1, balance: 0, list: 0)]), (delete, []))
        #expect(losses(deleted) { _ in } == [])
        #expect(losses(deleted, add) == ["account \(number) exists, although its deletion was acknowledged"])
    }

    @Test func accountsOfOtherWorkersAreNotHeldAgainstSaves() {
        let move = RelatedOperation(.move, .overwrite, [6])
        #expect(losses(reading((move, [mark(6, 9)]))) { _ in } == [])
    }

    @Test func endsThatDisagreeAreFound() {
        #expect(RelatedAudit.disagreements(start) == [])
        let faults: [(problem: String, change: (inout RelatedRecords) -> Void)] = [
            ("account 0 is in no list", { $0.accounts[0].list = nil }),
            ("account 0 is in list 1, which does not have it", { $0.accounts[0].list = 1 }),
            ("account 0 comes before 1, which comes after -1", { $0.accounts[0].next = 1 }),
            ("account 1 comes after 0, which comes before -1", { $0.accounts[1].previous = 0 }),
            ("account 0 and tag 2 do not agree on whether it has it", { $0.accounts[0].tags = [2] }),
            ("the queue of list 0 has account 3, which is in another", { $0.lists[0].queue = [3] }),
            ("account 3 is in the queue of list 0, which does not have it", { $0.accounts[3].queue = 0 }),
        ]
        for fault in faults {
            var records = start
            fault.change(&records)
            #expect(RelatedAudit.disagreements(records).contains(fault.problem))
        }
    }
}
