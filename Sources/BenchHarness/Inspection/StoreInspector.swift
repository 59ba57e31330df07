/// Reads a store for the harness's verification, apart from the sessions of its driver.
///
/// The harness inspects the files of a store in a new process, while the session that wrote them may still be open. So
/// an inspector needs no more than what ``StoreDriver/inspector(of:)`` gets: the folder, the entity and the settings.
/// It shares no connection, cache or memory with a session, and it does not change the store.
public protocol StoreInspector {
    /// What reads the store, in a few words, for the manifest: `reader of SQLite files`.
    var name: String { get }
    /// Whether the store keeps a version of each record, which counts the saves that wrote it. The manifest says so; if
    /// it does, the harness verifies the versions.
    var countsVersions: Bool { get }

    /// Feeds every record of the session's entity, in any order, and then every record of the other entities, with its
    /// attributes and its number; then each pair of a many-to-many relationship: its name (``LinkSpec/relationship``)
    /// and the numbers of both records; and then, for each record with others that a relationship keeps in order
    /// (``ReferenceSpec/isOrdered``), the name of the relationship (``ReferenceSpec/inverse``), its number and theirs
    /// in their order. Memory must not grow with the number of records.
    func scan(into scan: inout StoreScan) throws
    /// Hands over every record with its version, in any order, for the audit of a load.
    func forEachRecord(_ body: (StoredRecord) -> Void) throws
    /// Returns the errors in the store's files; empty if there are none.
    func checkIntegrity() throws -> [String]
    /// Whether a transaction that changes the store has begun and not ended. The harness asks in the process of the
    /// session, before the clock starts.
    func isBeingWritten() throws -> Bool
}

extension StoreInspector {
    /// Returns false, for a store whose transactions other connections cannot tell.
    public func isBeingWritten() throws -> Bool { false }

    /// Feeds the records that ``forEachRecord(_:)`` hands over, which is all that a store of one entity holds.
    public func scan(into scan: inout StoreScan) throws {
        try forEachRecord { record in
            for value in record.values { scan.values.add(value) }
            scan.endRecord(version: record.version)
        }
    }
}
