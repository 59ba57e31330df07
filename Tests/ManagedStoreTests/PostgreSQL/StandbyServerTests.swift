import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// A server that follows another one, and can only be read.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct StandbyServerTests {
    @Test func aStandbyServerIsReadAndRefusesSaves() throws {
        let server = try PostgreSQLServer()
        let primary = try PersistentStoreCoordinator.ofItems(at: server.url())
        let context = primary.confinedContext()
        Item("first", in: context)
        try context.save()
        try primary.removePersistentStore()
        try server.stop(.fast)
        // Its own log is all that it follows.
        try Data().write(to: URL(filePath: "\(server.socketFolder)/data/standby.signal"))
        try server.start()
        let standby = try PersistentStoreCoordinator.ofItems(at: server.url()).confinedContext()
        #expect(try standby.items().map(\.name) == ["first"])
        Item("second", in: standby)
        let error = expectError(.storeFailure) { try standby.save() }
        #expect(error?.message.contains("connect to the primary server") == true)
    }
}
