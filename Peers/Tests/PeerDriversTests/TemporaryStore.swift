import BenchHarness
import Foundation
import GRDB

/// The configuration of a store in a folder of its own.
final class TemporaryStore {
    let configuration: StoreConfiguration

    /// A store of a scenario's entities.
    init(_ scenario: Scenario) throws {
        configuration = StoreConfiguration(
            directory: try Self.makeFolder(), schema: scenario.schema, options: scenario.store,
            records: RecordGenerator(entity: scenario.entity, seed: 7))
    }

    init(_ options: StoreOptions = StoreOptions()) throws {
        let entity = EntitySpec(
            name: "Item",
            attributes: [
                AttributeSpec(name: "name", type: .string, generator: .sequence(prefix: "Item ", start: 0, step: 1)),
                AttributeSpec(name: "createdAt", type: .date, generator: .uniform(min: -1_000, max: 1_000)),
                AttributeSpec(name: "done", type: .bool, generator: .constant(.bool(false))),
            ])
        configuration = StoreConfiguration(
            directory: try Self.makeFolder(), entity: entity, options: options,
            records: RecordGenerator(entity: entity, seed: 7))
    }

    private static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("peers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    deinit { try? FileManager.default.removeItem(at: configuration.directory) }
}

extension DatabasePool {
    /// The value that a pragma has on the connection that writes.
    func pragma(_ name: String) throws -> Int? {
        try writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA \(name)") }
    }
}
