import Dispatch

/// An open store, as every driver has it: one that can be seeded, counted, read and checked.
///
/// What else a session can do, it says by conforming to capabilities: ``FetchingSession``,
/// ``AsynchronousFetchingSession``, ``UpdatingSession``, ``MergingSession``, ``LoadingSession``, ``WatchingSession``
/// and ``CheckpointingSession``. A phase that needs one which is missing is unsupported, and the results say so.
///
/// A session is used from one thread, but for the making of load workers; ``queue`` is its own. What begins with
/// `prepare` or `check`, and the members of this protocol but ``seed(_:records:monitor:)``, run outside the clock; the
/// rest within.
public protocol StoreSession: AnyObject {
    /// The queue of the context that fetches, on which results are delivered; its stalls are measured.
    var queue: DispatchQueue { get }

    /// Creates the records with the ordinals `0..<records` and saves them. Record `n` is remembered as the `n`-th.
    /// Where records belong to owners (``EntitySpec/owner``), creates these too, the one numbered 1 first.
    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws
    /// Lets go of what a phase prepared or left in memory.
    func finish()
    /// Exact counts since the session was opened or ``resetCounters()`` was called.
    func counters() throws -> StoreCounters
    /// Sets the counters to zero, the store library's own memory peak included.
    func resetCounters()
    /// Reads every record of the store through a fresh connection, in any order; and every owner, its attributes and
    /// its number.
    func scan(into digester: inout RecordDigester) throws
    /// What the store's own consistency check finds wrong; empty when all is well.
    func checkIntegrity() throws -> [String]
    /// Closes the store; the session is not used after.
    func close() throws
}
