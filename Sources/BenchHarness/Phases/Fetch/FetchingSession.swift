/// A session that fetches records.
public protocol FetchingSession: StoreSession {
    /// Fetches on ``StoreSession/queue`` and returns when done. ``FetchWork/attributes`` and ``FetchWork/follow``
    /// determine the result. Called while the clock runs.
    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords
}

/// A session that fetches records off its queue.
public protocol AsynchronousFetchingSession: StoreSession {
    /// Fetches off ``StoreSession/queue`` and delivers on it. Returns when the completion block has returned and the
    /// records were touched. Called while the clock runs.
    ///
    /// Calls ``PhaseMonitor/progress(_:)`` while it finds records, ``PhaseMonitor/onCancel(_:)`` as soon as it can be
    /// cancelled, ``PhaseMonitor/completed()`` first in the completion block, and ``PhaseMonitor/delivered()`` last in
    /// it.
    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords
}

/// The records that a phase got from the store, held until they are verified.
public protocol FetchedRecords {
    /// The number of records.
    var count: Int { get }
    /// Feeds every record, in order, to `digester`.
    func digest(into digester: inout RecordDigester) throws
}

extension Capability {
    static let fetching = Capability(name: "FetchingSession", lack: "it fetches nothing") {
        $0 is any FetchingSession.Type
    }
    static let asynchronousFetching = Capability(
        name: "AsynchronousFetchingSession", lack: "it fetches nothing asynchronously"
    ) { $0 is any AsynchronousFetchingSession.Type }
}
