/// A session that changes records.
public protocol UpdatingSession: StoreSession {
    /// Loads the records that a per-object update changes and holds them until ``StoreSession/finish()``. Called before
    /// the clock starts, and only for ``UpdateWork/Mode-swift.enum/perObject``.
    func prepareUpdate(_ work: UpdateWork) throws
    /// Changes records. Calls ``PhaseMonitor/operation(_:)`` around all the work of each chunk of a chunked update: its
    /// fetch, its changes and its save. Called while the clock runs.
    func update(_ work: UpdateWork, monitor: PhaseMonitor) throws
}

/// A session whose updates change many-to-many relationships, too: ``UpdateWork/links``.
public protocol LinkingSession: UpdatingSession {}

extension Capability {
    static let linking = Capability(name: "LinkingSession", lack: "it links no records") {
        $0 is any LinkingSession.Type
    }
    static let updating = Capability(name: "UpdatingSession", lack: "it changes no records") {
        $0 is any UpdatingSession.Type
    }
}
