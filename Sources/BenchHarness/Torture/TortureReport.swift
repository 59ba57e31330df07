/// What a store went through, and what came of it.
public struct TortureReport: Sendable, Equatable {
    /// The driver's name.
    public let driver: String
    /// Rounds that were begun.
    public var rounds = 0
    /// Processes that worked on the store.
    public var processes = 0
    /// Those that were killed.
    public var kills = 0
    /// Those that were killed right after they began to open the store.
    public var killsWhileOpening = 0
    /// How often a process was stopped, and went on.
    public var stops = 0
    /// Operations that changed the store and were acknowledged.
    public var acknowledged = 0
    /// Operations that were under way when their process was killed.
    public var doubtful = 0
    /// Those of which something shows that they were done.
    public var doubtfulDone = 0
    /// Signs of a loss: records that are not as they were acknowledged, and saves that were done in part or twice.
    public var lost = 0
    /// What else went wrong: failed operations and integrity checks, processes that ended by themselves.
    public var faults = 0
    /// How often the whole store was looked at.
    public var audits = 0
    /// Records in it when it was last looked at.
    public var records = 0
    /// How long it took, in nanoseconds.
    public var nanoseconds = 0
    /// The first things that went wrong, in words.
    public private(set) var problems: [String] = []

    private static let told = 10

    init(driver: String) {
        self.driver = driver
    }

    /// Adds what happened in a round.
    mutating func add(_ deaths: [TortureDeath]) {
        rounds += 1
        for death in deaths {
            processes += 1
            stops += death.stops
            acknowledged += death.acknowledged
            if death.isKilled { kills += 1 }
            if death.isKilled, death.life.end == .killWhileOpening { killsWhileOpening += 1 }
            add(faults: death.problems)
        }
    }

    mutating func add(faults problems: [String]) {
        faults += problems.count
        tell(problems)
    }

    mutating func add(losses problems: [String], count: Int) {
        lost += count
        tell(problems)
    }

    private mutating func tell(_ problems: [String]) {
        self.problems += problems.prefix(max(Self.told - self.problems.count, 0))
    }
}
