/// What was found in a store.
struct StoreInspection: Sendable, Equatable, Codable {
    /// The digest of every record, of the other entities too, and of what relationships to many keep.
    let content: RecordDigest
    /// The sum of the versions of the records; nil for a store without versions.
    let versions: VersionSum?
    /// The errors in the store; empty if there are none.
    let problems: [String]

    /// Inspects a store by the inspector that its driver declares.
    init(by inspector: any StoreInspector) throws {
        var scan = StoreScan()
        try inspector.scan(into: &scan)
        content = scan.values.digest
        versions = inspector.countsVersions ? scan.versions : nil
        let unversioned = inspector.countsVersions ? scan.unversioned : 0
        problems =
            try inspector.checkIntegrity()
            + (unversioned > 0 ? ["\(unversioned) records have no version; the driver declares that each has one"] : [])
    }

    /// Lets a session inspect its own store.
    init(by session: any StoreSession) throws {
        var digester = RecordDigester()
        try session.scan(into: &digester)
        content = digester.digest
        versions = nil
        problems = try session.checkIntegrity()
    }
}
