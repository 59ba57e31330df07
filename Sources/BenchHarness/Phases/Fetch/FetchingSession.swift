import Dispatch

/// A session that fetches records.
public protocol FetchingSession: StoreSession {
    /// Fetches on ``StoreSession/queue`` and returns when done. ``FetchWork/attributes`` and ``FetchWork/follow``
    /// determine the result. Called while the clock runs.
    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords
}

/// A session that fetches records off its queue.
public protocol AsynchronousFetchingSession: StoreSession {
    /// Fetches off ``StoreSession/queue`` and delivers on it. Returns when the completion block has returned. Called
    /// while the clock runs.
    ///
    /// Calls ``PhaseMonitor/progress(_:)`` while it finds records, at least every 10,000 of them,
    /// ``PhaseMonitor/onCancel(_:)`` as soon as it can be cancelled, ``PhaseMonitor/completed()`` first in the
    /// completion block, and ``PhaseMonitor/delivered()`` last in it.
    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords
}

/// The records that a phase got from the store, held until they are verified.
///
/// The harness reads them twice: while the clock runs, on the queue whose stalls are measured, and once more to verify
/// them. Both times it calls the same function, which must feed the same values.
public protocol FetchedRecords {
    /// The number of records.
    var count: Int { get }
    /// Feeds the records at `positions` of the result, in order, to `digester`. A value of an object goes through the
    /// object's property, as in an application.
    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) throws
    /// Runs `body`, which reads the records within the clock, on `queue`, and waits for it.
    ///
    /// The default is `queue.sync`. Objects of a context that has its own way to run code on its queue use that, as an
    /// application does.
    func perform(on queue: DispatchQueue, _ body: () throws -> Void) throws
}

extension FetchedRecords {
    /// Runs `body` on `queue`.
    public func perform(on queue: DispatchQueue, _ body: () throws -> Void) throws { try queue.sync(execute: body) }

    /// Feeds every record, in order, to `digester`.
    public func digest(into digester: inout RecordDigester) throws { try digest(0..<count, into: &digester) }
}

extension Capability {
    static let fetching = Capability(name: "FetchingSession", lack: "it fetches nothing") {
        $0 is any FetchingSession.Type
    }
    static let asynchronousFetching = Capability(
        name: "AsynchronousFetchingSession", lack: "it fetches nothing asynchronously"
    ) { $0 is any AsynchronousFetchingSession.Type }
}
