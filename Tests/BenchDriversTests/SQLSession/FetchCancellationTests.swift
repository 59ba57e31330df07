import BenchHarness
import CSQLite
import DriverSupport
import Foundation
import Testing

@testable import BenchDrivers
@testable import DriverConformance

@Suite struct FetchCancellationTests {
    @Test func cancellingStopsTheLoopAtItsNextReport() throws {
        try expectInterrupted(LoopTechnique<PlainConnection, ItemRecord>.self)
        try expectInterrupted(TunedTechnique<ItemRecord>.self)
    }

    @Test func cancellingStopsSQLiteWithinAStatement() throws {
        let connection = try memory()
        let cancellation = FetchCancellation()
        let endless = try connection.prepare(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i = 10 OR i < 0")
        #expect(try endless.step())
        Thread { cancellation.cancel { connection.interrupt() } }.start()
        let error = #expect(throws: DriverError.self) { try endless.step() }
        #expect(error?.code == .interrupted)
        #expect(cancellation.isCancelled)
    }

    @Test func cancellingDoesNothingAfterTheFetchWasDelivered() throws {
        let cancellation = FetchCancellation()
        #expect(!cancellation.close())
        cancellation.cancel { Issue.record("a later fetch is interrupted") }
        #expect(!cancellation.isCancelled)
        try cancellation.checkCancellation()
    }

    private func expectInterrupted<Method: Technique>(_ type: Method.Type) throws
    where Method.Connection == PlainConnection {
        let store = try CheckedStore(SQLiteDriver())
        try store.seeded(5_000).close()
        let connection = try RecordFile(store.configuration).connect()
        let cancellation = FetchCancellation()
        let watch = FetchWatch { count in
            if count >= 2_000 { cancellation.cancel { connection.interrupt() } }
            try cancellation.checkCancellation()
        }
        #expect(throws: CancellationError.self) {
            try type.init(table: RecordTable(Schema(.item)))
                .fetch(FetchWork(mode: .async, sort: [SortSpec(key: "name")]), on: connection, watch: watch)
        }
    }

    private func memory() throws -> PlainConnection {
        try PlainConnection(
            file: URL(fileURLWithPath: "/cancellation-tests"), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY)
    }
}
