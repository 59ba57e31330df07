import Dispatch

/// A session with a context that is notified of the saves of other contexts.
public protocol NotifiedSession: StoreSession {
    /// The queue that merges saves, whose stalls are measured; the main queue by default.
    var mergeQueue: DispatchQueue { get }
}

extension NotifiedSession {
    /// The main queue.
    public var mergeQueue: DispatchQueue { .main }
}

/// A session that saves from several contexts at once and merges in another.
public protocol MergingSession: NotifiedSession {
    /// Loads every record that `plan` changes or deletes into the merging context, and holds them until
    /// ``StoreSession/finish()``. Called before the clock starts.
    func prepareMerge(_ plan: MergePlan) throws
    /// Runs the writers of `plan` at once and returns when all their saves are merged. Each save is one operation.
    /// Returns what the merging context then holds: the changed records and the inserted ones, in any order. Called
    /// while the clock runs.
    func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords
}

extension Capability {
    static let merging = Capability(name: "MergingSession", lack: "it merges nothing") {
        $0 is any MergingSession.Type
    }
}
