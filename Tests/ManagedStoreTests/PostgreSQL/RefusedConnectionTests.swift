import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// A server that refuses to be connected to, for which the client library gives no code, but a text.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct RefusedConnectionTests {
    private let server: PostgreSQLServer

    /// A server with a user Ann, who needs a password.
    init() throws {
        server = try PostgreSQLServer(
            settings: ["max_connections=4", "superuser_reserved_connections=0", "max_wal_senders=0"],
            access: ["local all postgres trust", "local items ann scram-sha-256"])
        let admin = try PostgreSQLConnection(server.url())
        try admin.execute("CREATE ROLE ann LOGIN PASSWORD 's3cret'")
        try admin.execute("CREATE DATABASE items OWNER ann")
    }

    private func url(_ password: String?, database: String = "items") throws -> URL {
        let url = server.url(database: database, user: "ann").absoluteString
        return try #require(URL(string: password.map { "\(url)&password=\($0)" } ?? url))
    }

    private func refusal(_ code: StoreError.Code, _ url: URL) throws -> StoreError {
        try #require(expectError(code) { try PersistentStoreCoordinator.ofItems(at: url) })
    }

    @Test func theRightPasswordIsTaken() throws {
        let context = try PersistentStoreCoordinator.ofItems(at: url("s3cret")).confinedContext()
        Item("first", in: context)
        try context.save()
    }

    @Test func aWrongPasswordIsNamedAndNotShown() throws {
        let error = try refusal(.storeFailure, url("wr0ng"))
        #expect(error.sqlState == "28P01" && error.message.hasPrefix("postgresql:///items: "), "\(error)")
        #expect(error.message.contains("\"ann\"") && error.message.contains("correct the password"), "\(error)")
        #expect(!error.description.contains("wr0ng"))
    }

    @Test func aMissingPasswordIsNamed() throws {
        let error = try refusal(.storeFailure, url(nil))
        #expect(error.sqlState == "28P01" && error.message.contains("correct the password"), "\(error)")
    }

    @Test func aUserWhoIsNotLetInIsNamed() throws {
        let error = try refusal(.storeFailure, url("s3cret", database: "postgres"))
        #expect(error.sqlState == "28000" && error.message.contains("pg_hba.conf"), "\(error)")
        #expect(!error.description.contains("s3cret"))
    }

    @Test func aMissingDatabaseIsNamed() throws {
        let error = try refusal(.storeFailure, server.url(database: "nowhere"))
        #expect(error.sqlState == "3D000" && error.message.contains("create the database"), "\(error)")
    }

    @Test func aServerWithoutAConnectionLeftIsBusy() throws {
        var others: [PostgreSQLConnection] = []
        while others.count < 4, let other = try? PostgreSQLConnection(server.url()) { others.append(other) }
        let error = try refusal(.busy, url("s3cret"))
        #expect(error.sqlState == "53300" && error.message.contains("lower connectionLimit"), "\(error)")
        others = []
        while (try? PersistentStoreCoordinator.ofItems(at: url("s3cret"))) == nil { usleep(1_000) }
    }

    @Test func aServerThatIsDownCannotBeReached() throws {
        try server.stop(.fast)
        let error = try refusal(.storeFailure, url("s3cret"))
        #expect(error.message.hasPrefix("postgresql:///items cannot be reached: "), "\(error)")
        #expect(error.message.hasSuffix("check the URL, and that the server runs"))
    }
}
