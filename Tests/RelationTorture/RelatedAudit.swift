import BenchHarness

/// Audits related records against what was acknowledged, and against each other.
struct RelatedAudit {
    /// The number of accounts at the start.
    private let seeded: Int
    private let known: [Int: Account]
    /// The number of operations in doubt.
    let doubtful: Int

    /// The known history of one account of strict workers.
    private struct Account {
        /// The revision at the last audit; nil if the account did not exist.
        var settled: Int?
        var marks: [RelatedMark] = []
        var isDeleted = false
        var doubtful: [RelatedOperation] = []

        /// Returns how many unacknowledged revisions the account has, which saves in doubt must have made: each save
        /// makes the next revision.
        func unacknowledged(_ account: RelatedRecords.Account) -> Int {
            account.revision - (settled ?? 0) - marks.count
        }
    }

    /// - Parameters:
    ///   - settled: The records at the last successful audit.
    ///   - readings: The journals of workers since then.
    init(settled: RelatedRecords, readings: [RelatedReading], seeded: Int) {
        self.seeded = seeded
        known = Self.known(settled, readings, seeded)
        doubtful = readings.reduce(0) { $0 + $1.doubtful.count }
    }

    // MARK: What was acknowledged

    /// Returns the deviations from what was acknowledged.
    func losses(_ records: RelatedRecords) -> [String] {
        let found = Dictionary(grouping: records.accounts, by: \.number)
        var losses = known.sorted { $0.key < $1.key }.compactMap { number, known in
            loss(number, known, found[number, default: []])
        }
        let sum = records.accounts.reduce(0) {
            $0 + (RelatedPlan.isStrict(account: $1.number, of: seeded) ? $1.balance : 0)
        }
        let expected = RelatedPlan.sum(seeded)
        if sum != expected { losses.append("the balances add up to \(sum); expected \(expected)") }
        return losses
    }

    private static func known(
        _ settled: RelatedRecords, _ readings: [RelatedReading], _ seeded: Int
    ) -> [Int: Account] {
        var known: [Int: Account] = [:]
        func note(_ number: Int, _ change: (inout Account) -> Void) {
            if RelatedPlan.isStrict(account: number, of: seeded) { change(&known[number, default: Account()]) }
        }
        for account in settled.accounts { note(account.number) { $0.settled = account.revision } }
        for save in readings.lazy.flatMap(\.acknowledged) {
            for mark in save.marks { note(mark.account) { $0.marks.append(mark) } }
            if save.operation.kind == .delete { note(save.operation.numbers[0]) { $0.isDeleted = true } }
        }
        for operation in readings.lazy.flatMap(\.doubtful) {
            for number in operation.accounts { note(number) { $0.doubtful.append(operation) } }
        }
        return known
    }

    /// Returns how many of the operations in doubt were done, according to the revisions of their accounts.
    func doubtfulDone(_ records: RelatedRecords) -> Int {
        records.accounts.reduce(0) { sum, account in
            guard let known = known[account.number] else { return sum }
            // A transfer counts for its first account.
            let own = known.doubtful.filter { $0.accounts.first == account.number }
            return sum + max(0, min(own.count, known.unacknowledged(account)))
        }
    }

    private func loss(_ number: Int, _ known: Account, _ found: [RelatedRecords.Account]) -> String? {
        let name = "account \(number)"
        guard found.count < 2 else { return "\(name) exists \(found.count) times" }
        guard let account = found.first else {
            let mayBeGone = known.isDeleted || known.doubtful.contains { $0.kind == .delete }
            return mayBeGone || known.settled == nil && known.marks.isEmpty ? nil : "\(name) is lost"
        }
        if known.isDeleted { return "\(name) exists, although its deletion was acknowledged" }
        let revisions = known.marks.map(\.revision)
        guard Set(revisions).count == revisions.count else {
            return "two saves of \(name) have made the same revision of it"
        }
        if let last = revisions.max(), last > account.revision {
            return "\(name) has revision \(account.revision), although revision \(last) was acknowledged"
        }
        let unknown = known.unacknowledged(account)
        guard (0...known.doubtful.count).contains(unknown) else {
            return "\(name) has revision \(account.revision): \(unknown) more than were acknowledged, with "
                + "\(known.doubtful.count) in doubt"
        }
        guard let mark = known.marks.first(where: { $0.revision == account.revision }) else { return nil }
        if mark.balance != account.balance || mark.list != account.list {
            return
                "\(name) was saved with \(mark.balance) in list \(mark.list ?? -1), and has \(account.balance) in list "
                + "\(account.list ?? -1)"
        }
        return nil
    }

    // MARK: The relations

    /// Returns relations on which the two ends disagree.
    static func disagreements(_ records: RelatedRecords) -> [String] {
        var problems: [String] = []
        func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
            if !condition { problems.append(problem()) }
        }
        let accounts = Dictionary(records.accounts.map { ($0.number, $0) }) { first, _ in first }
        let lists = Dictionary(records.lists.map { ($0.number, $0) }) { first, _ in first }
        for account in records.accounts {
            let name = "account \(account.number)"
            expect(account.list != nil, "\(name) is in no list")
            expect(
                account.list.map { lists[$0]?.members.contains(account.number) == true } != false,
                "\(name) is in list \(account.list ?? -1), which does not have it")
            expect(
                account.queue.map { lists[$0]?.queue.contains(account.number) == true } != false,
                "\(name) is in the queue of list \(account.queue ?? -1), which does not have it")
            expect(
                account.next.map { accounts[$0]?.previous == account.number } != false,
                "\(name) comes before \(account.next ?? -1), which comes after \(account.next.flatMap { accounts[$0]?.previous } ?? -1)"
            )
            expect(
                account.previous.map { accounts[$0]?.next == account.number } != false,
                "\(name) comes after \(account.previous ?? -1), which comes before "
                    + "\(account.previous.flatMap { accounts[$0]?.next } ?? -1)")
            for tag in records.tags {
                expect(
                    tag.accounts.contains(account.number) == account.tags.contains(tag.number),
                    "\(name) and tag \(tag.number) do not agree on whether it has it")
            }
        }
        for list in records.lists {
            let name = "list \(list.number)"
            for member in list.members {
                expect(accounts[member]?.list == list.number, "\(name) has account \(member), which is in another")
            }
            expect(Set(list.queue).count == list.queue.count, "\(name) has an account twice in its queue")
            for member in list.queue {
                expect(
                    accounts[member]?.queue == list.number,
                    "the queue of \(name) has account \(member), which is in another")
            }
        }
        return problems
    }
}
