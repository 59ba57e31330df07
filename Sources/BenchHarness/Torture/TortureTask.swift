/// What the processes of a torture do, and the proof that nothing is lost which was acknowledged to them.
///
/// `bench torture` has the loads of a scenario. A program that proves more of a store brings a task of its own.
package protocol TortureTask: Sendable {
    /// The scenario with the settings of the store, if it is not the user's to choose.
    var scenario: Scenario? { get }
    /// Says in a few words what the processes do. All shards of a torture have it in common.
    func summary(of scenario: Scenario) -> String
    /// Returns why the driver cannot take part; nil if it can.
    func reasonUnsupported(by driver: any StoreDriver, in scenario: Scenario) -> String?
    /// Returns the phases of each store that the driver is tortured with, one store after another.
    func groups(of scenario: Scenario, for driver: any StoreDriver) -> [TortureGroup]
    /// Returns the store of a group, not yet made.
    func subject(_ job: TortureJob, _ group: TortureGroup, driver: any StoreDriver) throws -> any TorturedSubject
    /// Returns the number of workers of a process; each has a journal.
    func workers(of job: TortureJob) -> Int
    /// Reads the journal of a worker that has ended.
    ///
    /// - Parameters:
    ///   - end: A time at which nothing was done for the worker any more.
    ///   - goesOn: Whether an operation that failed may have gone on until then, on a server.
    func read(_ journal: String, of job: TortureJob, end: Int, goesOn: Bool) throws -> JournalReading
    /// Does the work of a process, until its time is over.
    func run(_ job: TortureJob, _ driver: any StoreDriver, _ channel: TortureChannel) throws
}

/// A store under torture, which is kept from round to round.
package protocol TorturedSubject {
    /// Creates the store and its folders.
    func seed() throws
    /// Adds what the processes of a round left behind.
    mutating func add(_ accounts: [TortureAccount])
    /// Whether an audit of the whole store is due.
    var isDue: Bool { get }
    /// Whether something happened since the last audit.
    var isUnchecked: Bool { get }
    /// Opens the store as its next user would, and audits its whole content against all that was acknowledged.
    ///
    /// - Parameter unaccounted: The lanes of processes whose journals are out of reach.
    mutating func audit(_ report: inout TortureReport, without unaccounted: UnaccountedLanes)
    /// What an audit without the journals of some shards proves, and what it does not, in words.
    func limits(without shards: Set<Int>) -> String
}
