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
        "postgres: loads: counts every one of the saves that meet (notifications, with owners)": "it observes no saves",
        "postgres: loads: counts every one of the saves that meet (notifications)": "it observes no saves",
        "postgres: loads: counts every one of the saves that meet (controller, with owners)": "it observes no saves",
        "postgres: loads: counts every one of the saves that meet (controller)": "it observes no saves",
        "postgres-tuned: loads: counts every one of the saves that meet (notifications, with owners)":
            "it observes no saves",
        "postgres-tuned: loads: counts every one of the saves that meet (notifications)": "it observes no saves",
        "postgres-tuned: loads: counts every one of the saves that meet (controller, with owners)":
            "it observes no saves",
        "postgres-tuned: loads: counts every one of the saves that meet (controller)": "it observes no saves",
        "postgres: undoing: gives records back the values that they had (steps of 1)": "it takes no changes back",
        "postgres: undoing: gives records back the values that they had (steps of 7)": "it takes no changes back",
        "postgres: undoing: gives records back the values that they had (steps of 1000)": "it takes no changes back",
        "postgres-tuned: undoing: gives records back the values that they had (steps of 1)": "it takes no changes back",
        "postgres-tuned: undoing: gives records back the values that they had (steps of 7)": "it takes no changes back",
        "postgres-tuned: undoing: gives records back the values that they had (steps of 1000)":
            "it takes no changes back",
        "postgres: loads: shows the head of a feed after every save": "it observes no saves",
        "postgres-tuned: loads: shows the head of a feed after every save": "it observes no saves",
        "postgres: fetching: ignores case (of any letters)": "word has others",
        "postgres-tuned: fetching: ignores case (of any letters)": "word has others",
        "managed-postgres: relationships: moves records to another owner (Item, batch)": "list",
        "managed-postgres: relationships: moves records to another owner (Sample, batch)": "box",
    ]

    @Test(arguments: DriverCase.onServer, ConformanceCheck.all)
    func everyDriverConformsExceptWhereItSaysSo(_ subject: DriverCase, to check: ConformanceCheck) async throws {
        let expected = Self.unsupported["\(subject.driver.name): \(check)"]
        switch try await check.run(subject.driver) {
        case .passed: #expect(expected == nil, "expected it to be unsupported")
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
