import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// A disk of a server that is full.
@Suite(.enabled(if: PostgreSQLServer.canHaveDisk, "PostgreSQL is not installed, or a disk cannot be mounted"))
struct FullServerDiskTests {
    private let server: PostgreSQLServer
    private let admin: PostgreSQLConnection

    init() throws {
        server = try PostgreSQLServer(diskMegabytes: 12)
        admin = try PostgreSQLConnection(server.url())
        try admin.execute("CREATE TABLESPACE small LOCATION '\(server.diskFolder)'")
        try admin.execute(
            "CREATE TABLE ballast TABLESPACE small AS SELECT repeat('x', 1000) FROM generate_series(1, 6000)")
    }

    @Test func aSaveOnAFullDiskFailsAsAWholeAndWorksWhenThereIsSpace() throws {
        let coordinator = try PersistentStoreCoordinator.ofItems(
            at: server.url(options: ["default_tablespace=small"]))
        let context = coordinator.confinedContext()
        let first = Item("first", in: context)
        try context.save()
        first.name = "changed"
        let text = String(repeating: "x", count: 1_000)
        for number in 0..<5_000 { Item(text, at: Double(number + 1), in: context) }
        let error = try #require(expectError(.diskFull) { try context.save() })
        #expect(error.sqlState == "53100" && error.message.contains("nothing was saved"), "\(error)")
        #expect(try coordinator.confinedContext().items().map(\.name) == ["first"] && context.hasChanges)
        try admin.execute("DROP TABLE ballast")
        try context.save()
        let saved = try coordinator.confinedContext().items()
        #expect(saved.count == 5_001 && saved.first?.name == "changed")
    }
}
