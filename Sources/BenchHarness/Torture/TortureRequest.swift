import Foundation

/// The stores to torture, and the settings.
public struct TortureRequest: Sendable {
    /// The end of the torture.
    public enum Limit: Sendable, Equatable, Codable {
        /// After this many seconds with each driver.
        case seconds(Double)
        /// After this many rounds on each store.
        case rounds(Int)
    }

    /// The scenario, already scaled.
    public var scenario: Scenario
    /// The drivers, in the order of the table.
    public var drivers: [any StoreDriver]
    /// Determines the operations of the processes, and what happens to them.
    public var seed: UInt64
    /// The number of concurrent processes.
    public var processes: Int
    /// The end of the torture.
    public var limit: Limit
    /// The folder for the temporary folder of the stores.
    public var storeParent: URL
    /// The program and arguments that call ``TortureWorker``.
    public var workerCommand: [String]
    /// What the processes do: the loads of the scenario.
    package var task: any TortureTask = LoadTorture()
    /// The part of the torture that the process does; nil does all of it.
    public var sharing: SharedRunRequest?
    /// Whether the seed is the user's, which all shards must then have in common; otherwise the first one's is taken.
    public var isSeedGiven = true
    /// The number of seconds to wait for a server that went away.
    public var serverPatience = Self.defaultServerPatience

    /// The default of ``serverPatience``.
    public static let defaultServerPatience = 60

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

    /// Returns the phases of the scenario that torture can use: those that write with a ledger.
    public static func phases(of scenario: Scenario) -> [Phase] {
        TortureGroup.all(of: scenario).flatMap(\.phases).sorted().map { scenario.phases[$0] }
    }
}

/// The outcome of a torture run.
public struct TortureOutcome: Sendable {
    /// One report for each driver that was begun.
    public var reports: [TortureReport] = []
    /// Whether the run was stopped.
    public var isInterrupted = false
    /// The seed, which may be that of another shard.
    public var seed: UInt64 = 0
    /// The other shards that were stopped, which ends the torture for all.
    public var stoppedShards: [Int] = []
    /// The folder with the journals of a store with an error, and with the store unless it is on a server.
    public var keptFolder: URL?
}
