/// The history of a store under torture, and its result.
public struct TortureReport: Sendable, Equatable, Codable {
    /// The driver's name.
    public let driver: String
    /// The number of rounds begun.
    public var rounds = 0
    /// The number of processes that used the store.
    public var processes = 0
    /// The number of killed processes.
    public var kills = 0
    /// The number of processes killed right after they began to open the store.
    public var killsWhileOpening = 0
    /// How often a process was stopped and continued.
    public var stops = 0
    /// The number of operations that changed the store and were acknowledged.
    public var acknowledged = 0
    /// The number of operations of which it is not known whether they were done: in progress when their process was
    /// killed, or failed.
    public var doubtful = 0
    /// The number of those that the store shows to be done.
    public var doubtfulDone = 0
    /// Signs of a loss: records that differ from what was acknowledged, and saves that were done partially or twice.
    public var lost = 0
    /// Other errors: failed operations and integrity checks, and processes that ended by themselves.
    public var faults = 0
    /// How often a server was restarted or out of reach; nil for a store of files.
    public var outages: Int?
    /// The number of operations that failed because of that.
    public var failedOperations = 0
    /// Where on a server the store is, in words; nil for a store of files.
    public var place: String?
    /// The number of audits of the whole store.
    public var audits = 0
    /// The number of records at the last audit.
    public var records = 0
    /// The duration, in nanoseconds.
    public var nanoseconds = 0
    /// The first errors, in words.
    public private(set) var problems: [String] = []

    private static let told = 10

    init(driver: String) {
        self.driver = driver
    }

    /// Adds what the processes of a round did, in which operations may fail if the server was away.
    mutating func add(_ accounts: [TortureAccount], wasAway: Bool = false) {
        rounds += 1
        for account in accounts {
            processes += account.processes
            stops += account.stops
            acknowledged += account.acknowledged
            kills += account.kills
            killsWhileOpening += account.killsWhileOpening
            add(faults: account.problems)
            if wasAway {
                failedOperations += account.failedOperations
            } else {
                add(faults: account.failures)
            }
        }
    }

    package mutating func add(faults problems: [String]) {
        faults += problems.count
        tell(problems)
    }

    package mutating func add(losses problems: [String], count: Int) {
        lost += count
        tell(problems)
    }

    private mutating func tell(_ problems: [String]) {
        self.problems += problems.prefix(max(Self.told - self.problems.count, 0))
    }
}
