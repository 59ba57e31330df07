import Foundation

/// Which stores are to be tortured, and how.
public struct TortureRequest: Sendable {
    /// When it is enough.
    public enum Limit: Sendable, Equatable {
        /// After so many seconds with each driver.
        case seconds(Double)
        /// After so many rounds on each store.
        case rounds(Int)
    }

    /// The scenario, scaled already.
    public var scenario: Scenario
    /// The drivers, in the order of the table.
    public var drivers: [any StoreDriver]
    /// Decides what the processes do, and what happens to them.
    public var seed: UInt64
    /// Processes at once.
    public var processes: Int
    /// When it is enough.
    public var limit: Limit
    /// The folder in which a folder for the stores is made.
    public var storeParent: URL
    /// The program and arguments that call ``TortureWorker``.
    public var workerCommand: [String]
    /// Whether related records are changed, as many accounts as the scenario has records, rather than its loads done.
    /// The drivers are ``RelatedStoreDriver``s then.
    public var isRelated = false

    /// Creates a request.
    public init(
        scenario: Scenario, drivers: [any StoreDriver], seed: UInt64, processes: Int, limit: Limit, storeParent: URL,
        workerCommand: [String]
    ) {
        self.scenario = scenario
        self.scenario.seed = seed
        self.drivers = drivers
        self.seed = seed
        self.processes = processes
        self.limit = limit
        self.storeParent = storeParent
        self.workerCommand = workerCommand
    }

    /// The scenario that says how many related records there are, and how the store is opened.
    public static let related = Scenario(
        name: "relations", records: 48, entity: EntitySpec(name: "Account", attributes: []), phases: [])

    /// The phases of the scenario that torture can do: those that write by a ledger.
    public static func phases(of scenario: Scenario) -> [Phase] {
        TortureGroup.all(of: scenario).flatMap(\.phases).sorted().map { scenario.phases[$0] }
    }
}

/// What came of it.
public struct TortureOutcome: Sendable {
    /// One for each driver that was begun with.
    public var reports: [TortureReport] = []
    /// Whether it was stopped.
    public var isInterrupted = false
    /// The folder of a store with which something is wrong.
    public var keptFolder: URL?
}
