import BenchHarness
import CSQLite
import Foundation
import ManagedStore

/// The file of a managed session.
struct ManagedFile: ManagedPlace {
    private let configuration: StoreConfiguration
    private var files: FileCounter

    init(_ configuration: StoreConfiguration) {
        self.configuration = configuration
        files = FileCounter(in: configuration.directory)
    }

    var inspector: any StoreInspector { RecordFileInspector(configuration) }

    func subentities(of entities: [EntityDescription]) throws -> [EntityDescription] {
        guard configuration.isCopy else { return [] }
        return try StoredEntities(
            PlainConnection(file: RecordFile.url(in: configuration.directory), flags: SQLITE_OPEN_READONLY)
        ).subentities(of: entities)
    }

    func addStore(to coordinator: PersistentStoreCoordinator) throws {
        try coordinator.addPersistentStore(
            .sqlite, at: RecordFile.url(in: configuration.directory), options: SQLiteStoreOptions(configuration.options)
        )
    }

    func fill(_ counters: inout StoreCounters) {
        files.fill(&counters)
    }

    mutating func resetCounters() { files.reset() }
}

extension SQLiteStoreOptions {
    /// Converts the scenario's settings. The file system counts syncs and bytes.
    package init(_ options: StoreOptions) {
        self.init(
            synchronous: Synchronous(rawValue: options.synchronous.rawValue) ?? .full,
            cacheSizeKiB: options.cacheSizeKiB, pageSizeBytes: options.pageSizeBytes,
            mmapSizeBytes: options.mmapSizeBytes, walAutocheckpointPages: options.walAutocheckpointPages,
            busyTimeoutMilliseconds: options.busyTimeoutMilliseconds)
        fileSystem = FileCounter.fileSystem
    }
}

extension StoredEntities {
    /// Returns the entities of a file that inherit from some of a model's, without the attributes of their own.
    func subentities(of entities: [EntityDescription]) -> [EntityDescription] {
        var (found, left) = ([EntityDescription](), entities)
        while let entity = left.popLast() {
            let names = (number(of: entity.name).map(children) ?? []).compactMap { self.names[$0] }
            let noAttributes: [AttributeDescription] = []
            let children = names.map { EntityDescription(name: $0, attributes: noAttributes, superentity: entity) }
            found += children
            left += children
        }
        return found
    }
}
