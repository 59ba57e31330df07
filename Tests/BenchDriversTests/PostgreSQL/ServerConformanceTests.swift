import BenchHarness
import DriverConformance
import TestSupport
import Testing

/// The drivers of stores on a server, by the same checks as all others.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct ServerConformanceTests {
    /// What the drivers do not do, by the driver and the check: a part of the reason that they give.
    private static let unsupported =
        Dictionary(
            uniqueKeysWithValues: ["postgres", "postgres-tuned", "managed-postgres"].flatMap { driver in
                ["per_object", "chunked", "batch"].map {
                    ("\(driver): updating: assigns a text with a zero byte in it (\($0))", "no zero byte")
                }
            }
        ).merging(other) { first, _ in first }
    private static let other = [
        "managed-postgres: seeding: keeps its records when the log is written back": "to the server",
        "postgres: fetching: ignores case (of any letters)": "word has others",
        "postgres-tuned: fetching: ignores case (of any letters)": "word has others",
        "managed-postgres: relationships: moves records to another (Item, batch)": "list",
        "managed-postgres: relationships: moves records to another (Sample, batch)": "box",
    ]
    /// The capabilities that their sessions lack.
    private static let lacked: [String: Set] = [
        "postgres": ["UndoingSession", "WatchingSession"], "postgres-tuned": ["UndoingSession", "WatchingSession"],
    ]

    @Test(arguments: DriverCase.onServer, ConformanceCheck.all)
    func everyDriverConformsExceptWhereItSaysSo(_ subject: DriverCase, to check: ConformanceCheck) async throws {
        try await check.expectConformance(
            of: subject.driver, except: Self.unsupported, lacking: Self.lacked[subject.driver.name] ?? [])
    }

    @Test(arguments: DriverCase.onServer)
    func driversTellTheManifestWhatTheServerIs(_ subject: DriverCase) {
        let properties = subject.driver.properties
        #expect(properties["engine"]?.hasPrefix("PostgreSQL") == true)
        #expect(properties["fsync"] == "off")
        #expect(properties["shared_buffers"] == "64MB")
        #expect(!subject.driver.summary.isEmpty)
    }
}
