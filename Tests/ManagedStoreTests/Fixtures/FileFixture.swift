import Foundation

@testable import ManagedStore

/// A store's file that a test made, or copied.
protocol FileFixture {
    var url: URL { get }
}

extension FileFixture {
    /// The file for plain SQL.
    func database() throws -> RawDatabase { try RawDatabase(url) }

    /// A coordinator that has opened the file.
    func coordinator(
        _ model: ManagedObjectModel, _ options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) throws -> PersistentStoreCoordinator {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(.sqlite, at: url, options: options)
        return coordinator
    }
}
