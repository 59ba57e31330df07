import Foundation
import Testing

@testable import ManagedStore

extension PersistentStoreCoordinator {
    /// Opens a store of items on a server, or creates it.
    static func ofItems(at url: URL, _ options: PostgreSQLStoreOptions? = nil) throws -> PersistentStoreCoordinator {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        try coordinator.addPersistentStore(.postgreSQL, at: url, options: options)
        return coordinator
    }

    /// A context of the calling thread.
    func confinedContext() -> ManagedObjectContext {
        ManagedObjectContext(concurrencyType: .confinement, coordinator: self)
    }

    /// Saves items whose names make many bytes of a few.
    func saveLongItems(_ count: Int) throws {
        let context = confinedContext()
        let text = String(repeating: "x", count: 200)
        for number in 0..<count { Item(text, at: Double(number), in: context) }
        try context.save()
    }

    /// The connections of a store on a server.
    var pool: PostgreSQLConnectionPool {
        get throws { try #require(try requireStore() as? PostgreSQLStore).pool }
    }
}

extension PostgreSQLConnection {
    /// Another connection to a database, as another program's.
    convenience init(_ url: URL) throws {
        try self.init(try #require(ServerAddress(url)), PostgreSQLStoreOptions())
    }
}
