import BenchDrivers
import BenchHarness
import TestSupport
import Testing

/// A driver as an argument of a test, named in its output. Every driver in ``Drivers/all`` must pass the conformance
/// suite.
struct DriverCase: Sendable, CustomTestStringConvertible {
    /// The drivers of stores in files.
    static let all = Drivers.all.filter { $0.server == nil }.map(DriverCase.init)

    /// The drivers of stores on the tests' own server; none where PostgreSQL is not installed.
    static let onServer: [DriverCase] = {
        guard let server = PostgreSQLServer.current?.url() else { return [] }
        let drivers: [any StoreDriver] = [
            PostgreSQLDriver(at: server), PostgreSQLTunedDriver(at: server), ManagedPostgreSQLDriver(at: server),
        ]
        return drivers.map(DriverCase.init)
    }()

    let driver: any StoreDriver

    init(_ driver: any StoreDriver) { self.driver = driver }

    var testDescription: String { driver.name }

    /// What the driver says that it cannot do of a scenario of every kind of phase, which are named after the kinds.
    var unsupported: [String] {
        switch driver.name {
        case "sqlite", "sqlite-tuned": ["undo"]
        case "postgres", "postgres-tuned": ["undo", "reopen"]
        case "managed-postgres": ["reopen"]
        default: []
        }
    }
}
