/// A session that fetches records.
public protocol FetchingSession: StoreSession {
    /// Fetches on ``StoreSession/queue`` and returns when done. ``FetchWork/attributes`` and ``FetchWork/follow`` say
    /// what is handed back. Within the clock.
    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords
}

/// A session that fetches records off its queue.
public protocol AsynchronousFetchingSession: StoreSession {
    /// Fetches off ``StoreSession/queue``, delivers on it, and returns when the completion block has returned and the
    /// records were touched. Within the clock.
    ///
    /// Calls ``PhaseMonitor/progress(_:)`` while records are found, ``PhaseMonitor/onCancel(_:)`` once it can be
    /// cancelled, ``PhaseMonitor/completed()`` as the first act of the completion block and
    /// ``PhaseMonitor/delivered()`` as its last.
    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords
}

/// Records that a phase got from the store, held until they have been verified.
public protocol FetchedRecords {
    /// How many there are.
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
