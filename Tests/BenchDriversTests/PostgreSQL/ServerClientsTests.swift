import BenchHarness
import Foundation
import Processes
import TestSupport
import Testing

@testable import BenchDrivers
@testable import DriverConformance

/// The sessions that a server keeps for the clients of a store.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"), .timeLimit(.minutes(10)))
struct ServerClientsTests {
    @Test(arguments: DriverCase.onServer)
    func theSessionsOfAStoreAreAwaitedAndEndedIfTheyLast(_ subject: DriverCase) throws {
        let server = try #require(subject.driver.server)
        let (store, other) = (try CheckedStore(subject.driver), try CheckedStore(subject.driver))
        try store.seeded(10).close()
        // Nothing is left to be ended.
        try server.awaitClients(of: store.configuration, seconds: 600)
        let (session, untouched) = (try store.open(), try other.seeded(10))
        try server.awaitClients(of: store.configuration, seconds: 0)
        let connection = try ServerStore(store.configuration, at: Self.address).connectForUpkeep()
        #expect(try Self.sessions(of: store.configuration, connection) == 0)
        #expect(try Self.sessions(of: other.configuration, connection) > 0)
        try session.close()
        try untouched.close()
    }

    @Test func aStatementThatOutlivesItsClientIsAwaited() throws {
        let driver = PostgreSQLDriver(at: try Self.address)
        let store = try CheckedStore(driver)
        try store.seeded(10).close()
        let place = ServerStore(store.configuration, at: try Self.address)
        let (holder, table) = (try place.connectForUpkeep(), "\(place.schema).\(place.table.name)")
        // The holder has the lock that the client's statement waits for at the client's death.
        try holder.execute("BEGIN; LOCK TABLE \(table)")
        let client = Process()
        client.executableURL = URL(filePath: "/bin/sh")
        client.arguments = ["-c", "exec psql -c 'DELETE FROM \(table)' '\(try Self.address)'"]
        client.environment = ProcessInfo.processInfo.environment.merging(["PGAPPNAME": place.schema]) { $1 }
        try client.run()
        while try Self.waiting(place.connectForUpkeep()) == 0 {}
        kill(client.processIdentifier, SIGKILL)
        _ = client.awaitEnd()
        #expect(try Self.waiting(place.connectForUpkeep()) == 1)
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.2)
            try? holder.execute("COMMIT")
        }
        try #require(driver.server).awaitClients(of: store.configuration, seconds: 600)
        #expect(try place.connectForUpkeep().integer("SELECT count(*) FROM \(place.table.name)") == 0)
    }

    @Test func theEpochChangesWithACrashAndWithARestart() throws {
        let own = try PostgreSQLServer(settings: [])
        let server = try #require(PostgreSQLDriver(at: own.url()).server)
        let first = try server.epoch
        #expect(try server.epoch == first)
        // The server ends all others after the death of one.
        let connection = try ServerConnection(own.url())
        let id = try #require(try connection.integer("SELECT pg_backend_pid()::bigint"))
        kill(pid_t(id), SIGKILL)
        var second: String?
        while second == nil || second == first { second = try? server.epoch }
        try own.stop(.kill)
        #expect(throws: DriverError.self) { try server.epoch }
        try own.start()
        #expect(try ![first, second].contains(server.epoch))
    }

    private static var address: URL { get throws { try #require(PostgreSQLServer.current).url() } }

    private static func waiting(_ connection: ServerConnection) throws -> Int64 {
        let sql = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'ZITEM'::regclass"
        return try connection.integer(sql.replacing("ZITEM", with: "\"ZITEM\"")) ?? -1
    }

    private static func sessions(
        of configuration: StoreConfiguration, _ connection: ServerConnection
    ) throws -> Int64 {
        let schema = ServerStore(configuration, at: try address).schema
        return try connection.integer(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(schema)'") ?? -1
    }
}
