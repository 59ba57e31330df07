import Foundation
import Processes
import TestSupport
import Testing

@testable import ManagedStore

/// A standby server that takes the place of a primary one which has crashed.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct PromotedServerTests {
    private let primary: PostgreSQLServer
    private let standby: PostgreSQLServer

    /// Starts both servers. Each commit waits for the standby, so that none is lost.
    init() throws {
        (primary, standby) = (try PostgreSQLServer(), try PostgreSQLServer())
        try primary.stop(.fast)
        try standby.stop(.fast)
        let (from, to) = ("\(primary.socketFolder)/data", "\(standby.socketFolder)/data")
        try FileManager.default.removeItem(atPath: to)
        // With their owner, who runs both servers.
        let copy = try Process.run(URL(filePath: "/bin/cp"), arguments: ["-a", from, to])
        try #require(copy.awaitEnd() == 0)
        try Data().write(to: URL(filePath: "\(to)/standby.signal"))
        try Self.set("primary_conninfo = 'host=\(primary.socketFolder) user=postgres'", in: to)
        try Self.set("synchronous_standby_names = '*'", in: from)
        try primary.start()
        try standby.start()
    }

    private static func set(_ setting: String, in folder: String) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: "\(folder)/postgresql.auto.conf"))
        try file.seekToEnd()
        try file.write(contentsOf: Data("\(setting)\n".utf8))
        try file.close()
    }

    @Test func theStoreGoesOnWithTheServerThatCanBeWritten() throws {
        let both = primary.url().absoluteString.replacing(
            primary.socketFolder, with: "\(primary.socketFolder),\(standby.socketFolder)")
        let url = try #require(URL(string: both + "&target_session_attrs=read-write"))
        let coordinator = try PersistentStoreCoordinator.ofItems(at: url)
        let context = coordinator.confinedContext()
        let first = Item("first", at: 1, in: context)
        try context.save()
        try primary.stop(.kill)
        // Nothing can be written until the standby is promoted; the context keeps its changes.
        first.name = "changed"
        Item("second", at: 2, in: context)
        expectError(.storeFailure) { try context.save() }
        _ = try PostgreSQLConnection(standby.url()).query("SELECT pg_promote()")
        try context.save()
        #expect(try coordinator.confinedContext().items().map(\.name) == ["changed", "second"])
    }
}
