import Dispatch

/// A session with a context that is told of what others save.
public protocol NotifiedSession: StoreSession {
    /// The queue that merges what was saved, whose stalls are measured; the main queue unless a driver says otherwise.
    var mergeQueue: DispatchQueue { get }
}

extension NotifiedSession {
    /// The main queue.
    public var mergeQueue: DispatchQueue { .main }
}

/// A session that saves from several contexts at once and merges in another.
public protocol MergingSession: NotifiedSession {
    /// Loads into the merging context every record that `plan` changes or deletes, and holds them until
    /// ``StoreSession/finish()``. Called before the clock starts.
    func prepareMerge(_ plan: MergePlan) throws
    /// Runs the writers of `plan` at once and returns when all that they saved was merged. Each save is one operation.
    /// The result is what the merging context then holds: the records that were changed and those that were inserted.
    /// Within the clock.
    func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords
}

extension Capability {
    static let merging = Capability(name: "MergingSession", lack: "it merges nothing") {
        $0 is any MergingSession.Type
    }
}
