/// A session that several workers use at once.
public protocol LoadingSession: StoreSession {
    /// Makes the worker with this index, on the thread that it will work on. Called before the clock starts.
    func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker
    /// Hands over every record as the store holds it, in any order, read through a new connection. Called while the
    /// clock does not run; the harness verifies with it only if the driver has no ``StoreInspector``.
    func forEachRecord(_ body: (StoredRecord) -> Void) throws
}

/// A session with a context that is notified of what a load's workers save.
public protocol WatchingSession: LoadingSession, NotifiedSession {
    /// Opens the context that is notified of saves, and what ``SaveSpec/mode`` requires in addition. Called before the
    /// clock starts, and only for loads with such a context.
    func prepareLoad(_ work: LoadWork, monitor: LoadMonitor) throws
    /// Returns when the context has merged every save. Called while the clock runs.
    func endLoad() throws
    /// Returns what is wrong with the content of the context; empty if all is well. Called while the clock does not
    /// run.
    func checkLoad() throws -> [String]
}

extension Capability {
    static let loading = Capability(name: "LoadingSession", lack: "it does no loads") {
        $0 is any LoadingSession.Type
    }
    static let watching = Capability(name: "WatchingSession", lack: "it observes no saves") {
        $0 is any WatchingSession.Type
    }
}
