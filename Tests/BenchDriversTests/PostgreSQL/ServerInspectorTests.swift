import BenchHarness
import TestSupport
import Testing

@testable import BenchDrivers
@testable import DriverConformance

/// What the reader of a server's tables finds, and what it takes to find nothing.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct ServerInspectorTests {
    private let driver: PostgreSQLDriver
    private let store: CheckedStore

    init() throws {
        driver = PostgreSQLDriver(at: try #require(PostgreSQLServer.current).url())
        store = try CheckedStore(driver)
    }

    private var inspector: any StoreInspector {
        get throws { try #require(driver.inspector(of: store.configuration)) }
    }

    /// Seeds the store, and runs SQL in its schema.
    private func run(_ sql: String) throws {
        let session = try store.seeded(10)
        try session.close()
        try ServerStore(store.configuration, at: #require(PostgreSQLServer.current).url()).connect().execute(sql)
    }

    @Test func aSoundStoreHasNoFindings() throws {
        try run("SELECT 1")
        #expect(try inspector.checkIntegrity() == [])
    }

    @Test(arguments: [
        ("CREATE INDEX ON \"ZITEM\" (\"ZNAME\")", "has an index of ZNAME, which the scenario does not ask for"),
        ("UPDATE \"ZITEM\" SET \"Z_OPT\" = NULL WHERE \"Z_PK\" < 3", "2 rows of \"ZITEM\" have no version"),
        ("ALTER TABLE \"ZITEM\" ALTER \"ZDONE\" TYPE text", "ZDONE of \"ZITEM\" is text; expected boolean"),
        ("ALTER TABLE \"ZITEM\" DROP \"ZNAME\"", "ZNAME of \"ZITEM\" is missing; expected text"),
    ])
    func whatIsWrongIsNamed(sql: String, finding: String) throws {
        try run(sql)
        #expect(try inspector.checkIntegrity().contains { $0.contains(finding) })
    }

    @Test func anOpenTransactionThatWroteIsFound() throws {
        try run("SELECT 1")
        #expect(try !inspector.isBeingWritten())
        let connection = try ServerStore(store.configuration, at: #require(PostgreSQLServer.current).url()).connect()
        try connection.execute("BEGIN; UPDATE \"ZITEM\" SET \"ZDONE\" = TRUE")
        #expect(try inspector.isBeingWritten())
        try connection.execute("ROLLBACK")
        #expect(try !inspector.isBeingWritten())
    }
}
