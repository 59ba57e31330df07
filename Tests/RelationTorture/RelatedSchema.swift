import BenchDrivers
import BenchHarness
import Foundation
import ManagedStore

/// The schema of a store of related records on a server.
struct RelatedSchema: RelatedPlace {
    private let store: ServerStore

    init(in directory: URL, _ options: StoreOptions, at address: URL) {
        // The name of the schema comes from the directory alone.
        let entity = EntitySpec(name: RelatedAccount.entityName, attributes: [])
        let configuration = StoreConfiguration(
            directory: directory, entity: entity, options: options, records: RecordGenerator(entity: entity, seed: 0))
        store = ServerStore(configuration, at: address)
    }

    func addStore(to coordinator: PersistentStoreCoordinator) throws { try store.add(to: coordinator) }

    func problems() throws -> [String] {
        let connection = try store.connectForUpkeep()
        return try RelatedChecks.problems { try connection.integer($0) ?? 0 }
    }
}
