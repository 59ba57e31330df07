import BenchDrivers
import Testing

/// Ratios to `postgres` carry a revision, too.
@Suite struct ServerBaselineRevisionTests {
    /// The files that run within the clock of `postgres` and `postgres-tuned`.
    private static let sources =
        [
            "CopyServerTechnique", "ServerAnswer", "ServerArray", "ServerBytes", "ServerConnection",
            "ServerConnection+Copy", "ServerConnection+Pipeline", "ServerConnection+SQL", "ServerCopyBuffer",
            "ServerRow", "ServerType", "ServerValues",
        ].map { "Sources/BenchDrivers/PostgreSQL/\($0).swift" }
        + ["LinkTable", "MemberTable", "RecordDialect", "RecordTable", "RecordTable+Cascade", "RecordTable+Filter"].map
    {
        "Sources/BenchDrivers/StoreFile/\($0).swift"
    } + ["Sources/BenchDrivers/SQLSession", "Sources/DriverSupport"]

    /// The fingerprint of each revision; the last one is today's.
    private static let fingerprints = [1: "f1c0e99c00da6a39", 2: "5fafb943601aa410", 3: "69eed7fa688c6ad9"]

    @Test func theRevisionIsThatOfTheSources() throws {
        let found = try SourceFingerprint(Self.sources).text
        let revision = PostgreSQLDriver.baselineRevision
        #expect(
            Self.fingerprints[revision] == found,
            """
            The sources of the drivers on a bare server are not those of revision \(revision). If they do other work \
            within the clock than the last commit, add 1 to PostgreSQLDriver.baselineRevision, and add \
            \(revision + 1): "\(found)" to the fingerprints. If they do the same work, as after a change of names, \
            replace the fingerprint of revision \(revision) by "\(found)".
            """)
        #expect(Self.fingerprints.keys.max() == revision)
    }

    @Test func theManifestHasTheRevisionEvenWithoutAServer() {
        let revision = PostgreSQLDriver().properties["baseline_revision"]
        #expect(revision == String(PostgreSQLDriver.baselineRevision))
    }
}
