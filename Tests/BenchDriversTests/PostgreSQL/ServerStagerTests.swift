import BenchHarness
import Foundation
import TestSupport
import Testing

@testable import BenchDrivers
@testable import DriverConformance

/// The initial states of phases on a server.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct ServerStagerTests {
    private static let keyed = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(
                name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1), isUnique: true),
            AttributeSpec(name: "name", type: .string, generator: .random(length: 12), isIndexed: true),
        ])

    @Test(arguments: DriverCase.onServer)
    func aRestoredStoreIsTheSeededOneWithItsIndexes(_ subject: DriverCase) throws {
        let store = try CheckedStore(subject.driver, entity: Self.keyed)
        let stager = try #require(subject.driver.server).stager(of: store.configuration)
        let inspector = try #require(subject.driver.inspector(of: store.configuration))
        #expect(try !stager.hasSeeded)
        try store.seeded(100).close()
        let seeded = try content(inspector)
        try stager.keepSeeded()
        #expect(try stager.hasSeeded)
        for _ in 0..<2 {
            let session = try store.open()
            try session.delete(DeleteWork(mode: .batch))
            try session.close()
            try stager.empty()
            try stager.restoreSeeded()
            #expect(try content(inspector) == seeded)
            #expect(try inspector.checkIntegrity() == [])
        }
    }

    @Test(arguments: DriverCase.onServer)
    func theStoresOfAFolderAreRemovedAndNoOthers(_ subject: DriverCase) throws {
        let server = try #require(subject.driver.server)
        let (store, other) = (try CheckedStore(subject.driver), try CheckedStore(subject.driver))
        for store in [store, other] {
            try store.seeded(10).close()
            try server.stager(of: store.configuration).keepSeeded()
        }
        try server.removeStores(below: store.configuration.directory)
        #expect(try !server.stager(of: store.configuration).hasSeeded)
        #expect(try server.stager(of: other.configuration).hasSeeded)
        // A name that only begins with the folder's is another folder.
        let path = other.configuration.directory.path
        try server.removeStores(below: URL(fileURLWithPath: String(path.dropLast())))
        #expect(try server.stager(of: other.configuration).hasSeeded)
    }

    private func content(_ inspector: any StoreInspector) throws -> [String] {
        var found: [String] = []
        try inspector.forEachRecord { found.append("\($0)") }
        return found.sorted()
    }
}
