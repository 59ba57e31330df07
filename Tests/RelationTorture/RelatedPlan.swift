import BenchHarness

/// The operations of a process's workers on related records: a pure function of the seed, the process's number and the
/// worker's.
///
/// Every other worker is *strict*: it saves with the policy that refuses conflicts, and has accounts that no other kind
/// of worker changes, so that the exact result of each save is known. The rest use every policy, on their own accounts.
/// All share the lists and tags.
struct RelatedPlan {
    /// The number of workers of a process.
    static let workers = 4
    private static let lists = 6
    private static let tags = 5
    private static let balance = 1_000
    /// More records than a worker inserts in the lifetime of its process.
    private static let inserts = 1_000_000

    private let accounts: Int
    private let isStrict: Bool
    private var random: SplitMix64
    private var next: Int
    private var inserted: [Int] = []
    private var insertedLists: [Int] = []

    init(_ job: TortureJob, worker: Int) {
        accounts = job.scenario.records
        isStrict = Self.isStrict(worker: worker)
        let writer = job.lane * Self.workers + worker
        random = SplitMix64(state: job.scenario.seed ^ UInt64(writer) << 20 ^ 0x72_656C_6174_65)
        next = (writer + 1) * Self.inserts
    }

    // MARK: The records

    private static func isStrict(worker: Int) -> Bool { worker % 2 == 0 }

    /// Returns whether only strict workers change an account.
    static func isStrict(account: Int, of accounts: Int) -> Bool {
        account < inserts ? account < accounts / 2 : isStrict(worker: (account / inserts - 1) % workers)
    }

    /// Returns the initial content of a store: half of the accounts are strict workers'.
    static func seed(_ accounts: Int) -> RelatedRecords {
        var records = RelatedRecords()
        records.lists = (0..<lists).map(RelatedRecords.List.init)
        records.tags = (0..<tags).map(RelatedRecords.Tag.init)
        for number in 0..<accounts {
            var account = RelatedRecords.Account(number: number)
            account.balance = balance
            account.list = number % lists
            records.lists[number % lists].members.insert(number)
            records.accounts.append(account)
        }
        return records
    }

    /// Returns the sum of the balances of strict workers' accounts, which is constant.
    static func sum(_ accounts: Int) -> Int { accounts / 2 * balance }

    // MARK: The operations

    mutating func operation() -> RelatedOperation {
        let drawn = isStrict ? .error : draw(RelatedOperation.Policy.allCases)
        let kind = draw(RelatedOperation.Kind.allCases + [.transfer, .transfer, .move, .pair])
        let policy = Self.policy(drawn, for: kind)
        let choice = random.below(1_000)
        switch kind {
        case .transfer:
            return RelatedOperation(kind, policy, pair(), amount: random.below(100))
        case .pair: return RelatedOperation(kind, policy, pair())
        case .move, .part, .enqueue, .tag:
            return RelatedOperation(kind, policy, [anyAccount()], choice: choice)
        case .insert:
            inserted.append(takeNumber())
            return RelatedOperation(kind, policy, inserted.suffix(1), choice: choice)
        case .delete:
            guard !inserted.isEmpty else { return RelatedOperation(.part, policy, [anyAccount()]) }
            return RelatedOperation(kind, policy, [inserted.remove(at: random.below(inserted.count))])
        case .insertList:
            insertedLists.append(takeNumber())
            return RelatedOperation(kind, policy, insertedLists.suffix(1))
        case .deleteList:
            guard !insertedLists.isEmpty else { return RelatedOperation(.move, policy, [anyAccount()], choice: choice) }
            return RelatedOperation(kind, policy, [insertedLists.remove(at: random.below(insertedLists.count))])
        }
    }

    /// Returns a policy that is safe for an operation. Deleting a list empties its queue, which may hold accounts of
    /// strict workers. The overwrite policy would restore their rows as they were read, revision and balance included,
    /// and so undo intermediate saves of strict workers.
    private static func policy(
        _ drawn: RelatedOperation.Policy, for kind: RelatedOperation.Kind
    ) -> RelatedOperation.Policy {
        kind == .deleteList && drawn == .overwrite ? .objectTrump : drawn
    }

    private mutating func takeNumber() -> Int {
        defer { next += 1 }
        return next
    }

    /// Returns one of the initial accounts, which are never deleted.
    private mutating func account() -> Int { random.below(accounts / 2) + (isStrict ? 0 : accounts / 2) }

    /// Returns one of the initial accounts, or one that this worker has inserted.
    private mutating func anyAccount() -> Int {
        inserted.isEmpty || random.below(4) > 0 ? account() : inserted[random.below(inserted.count)]
    }

    private mutating func pair() -> [Int] {
        let first = account()
        var second = account()
        while second == first { second = account() }
        return [first, second]
    }

    private mutating func draw<Element>(_ elements: [Element]) -> Element { elements[random.below(elements.count)] }
}
