import BenchHarness
import CSQLite
import Foundation
import Testing

@testable import BenchDrivers

@Suite struct DriverErrorTests {
    @Test func aFullDiskIsReportedAndRolledBack() throws {
        let connection = try memory()
        try connection.execute("CREATE TABLE t (x)")
        try connection.execute("PRAGMA max_page_count = 3")
        let error = #expect(throws: DriverError.self) {
            try connection.transaction { try connection.execute("INSERT INTO t VALUES (zeroblob(100000))") }
        }
        #expect(error?.code == .diskFull)
        #expect(error?.description.contains("free some space") == true)
        #expect(error?.sql == "INSERT INTO t VALUES (zeroblob(100000))")
        #expect(sqlite3_get_autocommit(connection.handle) != 0)
    }

    @Test func aStatementThatDoesNotCompileIsNamed() throws {
        let connection = try memory()
        let error = #expect(throws: DriverError.self) { try connection.execute("SELEKT 1") }
        #expect(error?.description.contains("SELEKT 1") == true)
    }

    @Test func aStatementOfManyRowsIsShortened() {
        let error = DriverError(.busy, "locked", sql: String(repeating: "(?, 1, 1), ", count: 64))
        #expect(error.description.count < 300)
    }

    private func memory() throws -> PlainConnection {
        try PlainConnection(
            file: URL(fileURLWithPath: "/error-tests"), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY)
    }
}
