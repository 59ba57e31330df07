import Dispatch

/// An open store with the functions that every driver offers: it can be seeded, counted, read and checked.
///
/// A session declares further abilities by conforming to capabilities, such as ``FetchingSession``, which
/// <doc:WritingADriver> lists. A phase is unsupported if it needs a missing one, and the results say so.
///
/// One thread uses a session, except for the making of load workers; ``queue`` is its own. The clock does not run for
/// members whose names begin with `prepare` or `check`, and for the members of this protocol except
/// ``seed(_:records:monitor:)``; it runs for all others.
public protocol StoreSession: AnyObject {
    /// The queue of the context that fetches; it receives results, and its stalls are measured.
    var queue: DispatchQueue { get }

    /// Creates the records with the ordinals `0..<records` and saves them, with a ``PhaseMonitor/operation(_:)`` around
    /// each of the saves (``SeedWork/saves(of:)``). Record `n` has the ordinal `n` from then on.
    /// It creates the records of the other entities too (``StoreConfiguration/schema``), the one with number 1 first.
    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws
    /// Releases what a phase prepared or left in memory.
    func finish()
    /// Returns exact counts since the session was opened or ``resetCounters()`` was called.
    func counters() throws -> StoreCounters
    /// Sets the counters to zero, the store library's own memory peak included.
    func resetCounters()
    /// Reads every record of the store through a new connection, in any order, and every record of another entity with
    /// its attributes and its number. The harness verifies with it only if the driver has no ``StoreInspector``.
    func scan(into digester: inout RecordDigester) throws
    /// Returns the findings of the store's own consistency check; empty if all is well. The harness verifies with it
    /// only if the driver has no ``StoreInspector``.
    func checkIntegrity() throws -> [String]
    /// Returns the settings in force of each connection, or of one of each kind; empty if the driver cannot tell. The
    /// harness compares them with the scenario's after each phase.
    func settings() throws -> [StoreSettings]
    /// Closes the store; nothing uses the session afterwards.
    func close() throws
}

extension StoreSession {
    /// Returns no settings: the driver cannot tell, unless it overrides this default.
    public func settings() throws -> [StoreSettings] { [] }
}
