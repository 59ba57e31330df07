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

    @Test(arguments: DriverCase.onServer, ConformanceCheck.all)
    func everyDriverConformsExceptWhereItSaysSo(_ subject: DriverCase, to check: ConformanceCheck) async throws {
        let expected = Self.unsupported["\(subject.driver.name): \(check)"]
        switch try await check.run(subject.driver) {
        case .passed: #expect(expected == nil, "expected it to be unsupported")
        // A session says by its type which capabilities it has.
        case .unsupported(let reason) where reason.contains("sessions do not conform to"): break
        case .unsupported(let reason): #expect(reason.contains(try #require(expected, "\(reason)")))
        }
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
