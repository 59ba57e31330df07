/// A session whose workers do operations at once.
public protocol LoadingSession: StoreSession {
    /// Makes the worker with this index, on the thread that it will work on. Called before the clock starts.
    func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker
    /// Hands over every record as it lies in the store, read through a fresh connection, in any order. Outside the
    /// clock.
    func forEachRecord(_ body: (StoredRecord) -> Void) throws
}

/// A session with a context that is told of what a load's workers save.
public protocol WatchingSession: LoadingSession, NotifiedSession {
    /// Opens the context that is told of saves, and what ``SaveSpec/mode`` asks for beside it. Called before the clock
    /// starts, for loads that are watched alone.
    func prepareLoad(_ work: LoadWork, monitor: LoadMonitor) throws
    /// Returns when the context has taken in every save. Within the clock.
    func endLoad() throws
    /// What is wrong with what the context holds; empty when all is well. Outside the clock.
    func checkLoad() throws -> [String]
}

extension Capability {
    static let loading = Capability(name: "LoadingSession", lack: "it does no loads") {
        $0 is any LoadingSession.Type
    }
    static let watching = Capability(name: "WatchingSession", lack: "nothing in it is told of a save") {
        $0 is any WatchingSession.Type
    }
}
