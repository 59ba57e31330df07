import BenchDrivers
import Testing

/// Ratios to a baseline that has changed mean something else, so its revision tells its sources.
@Suite struct BaselineRevisionTests {
    /// The files that run within the clock of `sqlite` and `sqlite-tuned`. What the harness does itself within the
    /// clock is the same for every driver.
    private static let sources = [
        "Sources/BenchDrivers/SQLSession", "Sources/BenchDrivers/SQLite", "Sources/BenchDrivers/SQLiteTuned",
        "Sources/BenchDrivers/StoreFile/BoundBytes.swift", "Sources/BenchDrivers/StoreFile/CaseFolding.swift",
        "Sources/BenchDrivers/StoreFile/RecordTable+Filter.swift", "Sources/BenchDrivers/StoreFile/LinkTable.swift",
        "Sources/BenchDrivers/StoreFile/MemberTable.swift", "Sources/BenchDrivers/StoreFile/RecordTable+Cascade.swift",
        "Sources/BenchDrivers/StoreFile/PlainConnection.swift", "Sources/BenchDrivers/StoreFile/PlainStatement.swift",
        "Sources/BenchDrivers/StoreFile/RecordDialect.swift", "Sources/BenchDrivers/StoreFile/RecordFile.swift",
        "Sources/BenchDrivers/StoreFile/RecordTable.swift", "Sources/BenchDrivers/StoreFile/SQLiteSorting.swift",
        "Sources/BenchDrivers/StoreFile/StatementCounts.swift", "Sources/DriverSupport",
    ]

    /// The fingerprint of each revision; the last one is today's.
    private static let fingerprints = [4: "868bbb42b791d2f9", 5: "9c615b1d821d8bc1", 6: "c258f9941e2a89e9"]

    @Test func theRevisionIsThatOfTheSources() throws {
        let found = try SourceFingerprint(Self.sources).text
        let revision = SQLiteDriver.baselineRevision
        #expect(
            Self.fingerprints[revision] == found,
            """
            The sources of the baseline drivers are not those of revision \(revision). If they do other work within the \
            clock than the last commit, add 1 to SQLiteDriver.baselineRevision, add \(revision + 1): "\(found)" to the \
            fingerprints, and renew Results/baseline with make baseline. If they do the same work, as after a change of \
            names, replace the fingerprint of revision \(revision) by "\(found)".
            """)
        #expect(Self.fingerprints.keys.max() == revision)
    }

    @Test(arguments: [
        "let a = 1  // one\nlet b = \"x\"", "let a=1\n\n    let b = \"x\"",
        "/// Why.\nlet a = 1\n// But\nlet b = \"x\"",
    ])
    func aFingerprintLeavesOutCommentsAndLayout(_ source: String) {
        #expect(fingerprint(source) == fingerprint("let a = 1\nlet b = \"x\""))
    }

    @Test(arguments: ["let a = 2", "let a = 1 / 2", "let b = 1", "let a = \"// 1\"", "let a = 1\nlet b = 1", ""])
    func aFingerprintTellsCodeApart(_ source: String) {
        #expect(fingerprint(source) != fingerprint("let a = 1"))
        #expect(fingerprint("let a = \"// 1\"") != fingerprint("let a = \"// 2\""))
        #expect(fingerprint("let a = \"\\\"// 1\"") != fingerprint("let a = \"\\\"// 2\""))
    }

    private func fingerprint(_ source: String) -> String {
        var fingerprint = SourceFingerprint()
        fingerprint.add("A.swift", source)
        return fingerprint.text
    }
}
