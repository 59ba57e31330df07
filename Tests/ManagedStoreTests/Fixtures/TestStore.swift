import Foundation
import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// The stores that promises are checked against. A test takes those that offer what it is about.
struct Backend: Hashable, Sendable, CustomTestStringConvertible {
    /// What not every type of store offers.
    struct Features: OptionSet, Hashable, Sendable {
        let rawValue: Int
        static let relationships = Features(rawValue: 1)
        static let constraints = Features(rawValue: 2)
        static let batchUpdates = Features(rawValue: 4)
        /// Texts with the character NUL.
        static let nul = Features(rawValue: 8)
        static let all: Features = [.relationships, .constraints, .batchUpdates]
    }

    /// The kinds of servers.
    enum Server {
        case one
        /// One that refuses what some engines of PostgreSQL's protocol refuse.
        case strict
        /// One whose tables lie on three others.
        case spread
    }

    let type: PersistentStoreCoordinator.StoreType
    let features: Features
    var server: Server?

    static let sqlite = Backend(type: .sqlite, features: [.all, .nul])
    static let inMemory = Backend(type: .inMemory, features: [.all, .nul])
    static let notebook = Backend(type: .notebook, features: .nul)
    static let postgreSQL = Backend(type: .postgreSQL, features: .all, server: .one)
    static let strictServer = Backend(type: .postgreSQL, features: .all, server: .strict)
    static let spreadServers = Backend(
        type: .postgreSQL, features: [.relationships, .batchUpdates], server: .spread)

    static let all = [sqlite, inMemory, notebook] + servers
    /// Those on servers. The others than the usual one take too long for all tests that run with every change.
    private static let servers =
        !PostgreSQLServer.isInstalled ? [] : [postgreSQL] + (takesEvery ? [strictServer, spreadServers] : [])
    private static let takesEvery = ProcessInfo.processInfo.environment["EVERY_SERVER"] == "1"
    /// Those that what differs between servers is tested with: fetching, saving, relationships and batches.
    static let strictly = PostgreSQLServer.isInstalled && !takesEvery ? all + [strictServer] : all
    /// Those that the store's own interface is tested with.
    static let conforming = PostgreSQLServer.isInstalled && !takesEvery ? strictly + [spreadServers] : all
    /// Those that ask a database in SQL.
    static let databases = strictly.filter { $0 == sqlite || $0.server != nil }
    /// Those that offer everything.
    static let allCases = offering(.all)
    static let strictCases = offering(.all, of: strictly)

    /// The text, without the character NUL if the store cannot hold it.
    func storable(_ text: String) -> String {
        features.contains(.nul) ? text : text.replacing("\0", with: "\u{1}")
    }

    static func offering(_ features: Features, of backends: [Backend] = all) -> [Backend] {
        backends.filter { $0.features.isSuperset(of: features) }
    }

    var testDescription: String {
        switch server {
        case .strict: "strict server"
        case .spread: "three servers"
        case .one, nil: type.rawValue
        }
    }
}

/// A coordinator with an empty store of some kind, and a folder for its file.
struct TestStore {
    let backend: Backend
    let directory: TemporaryDirectory
    let coordinator: PersistentStoreCoordinator
    let url: URL

    init(
        _ backend: Backend = .sqlite, model: ManagedObjectModel? = nil,
        options: SQLiteStoreOptions = SQLiteStoreOptions(synchronous: .off)
    ) throws {
        // Contexts outlive the fixture and open further readers.
        directory = try TemporaryDirectory(isKept: true)
        self.backend = backend
        let model = try model ?? ManagedObjectModel(Item.self, Everything.self)
        url =
            switch backend.server {
            case .one: try TestSchema.make()
            case .strict: try TestSchema.make(isStrict: true)
            case .spread: try SpreadTables.make(model)
            case nil: directory.file("store.sqlite")
            }
        coordinator = PersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(backend.type, at: url, options: backend == .sqlite ? options : nil)
    }

    /// A context; without a type one of the calling thread.
    func context(_ type: ManagedObjectContext.ConcurrencyType = .confinement) -> ManagedObjectContext {
        ManagedObjectContext(concurrencyType: type, coordinator: coordinator)
    }

    /// A context of the calling thread, with `count` saved items "Item 0", "Item 1", ... in it.
    func contextWithItems(_ count: Int) throws -> (ManagedObjectContext, [Item]) {
        let context = context()
        let items = (0..<count).map { Item("Item \($0)", at: Double($0), in: context) }
        try context.save()
        return (context, items)
    }

    /// Saves `count` items through a context that is gone afterwards.
    @discardableResult
    func seed(_ count: Int) throws -> [ManagedObjectID] {
        try contextWithItems(count).1.map(\.objectID)
    }

    /// Another coordinator on the same file.
    func secondCoordinator(_ model: ManagedObjectModel? = nil) throws -> PersistentStoreCoordinator {
        let second = PersistentStoreCoordinator(
            managedObjectModel: try model ?? ManagedObjectModel(Item.self, Everything.self))
        try second.addPersistentStore(backend.type, at: url)
        return second
    }

    /// SQL statements run; 0 where a store knows of none.
    var statementCount: Int { coordinator.statistics.statements ?? 0 }

    /// Another connection to the file, as another process's.
    func database() throws -> RawDatabase { try RawDatabase(url) }
}

extension ManagedObjectContext {
    /// All items, in the order of `createdAt`.
    func items(_ predicate: FetchPredicate? = nil) throws -> [Item] {
        try fetch(FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)], predicate: predicate))
    }

    /// The item with `id`, read from the store if need be.
    func item(_ id: ManagedObjectID) throws -> Item {
        let object = try existingObject(with: id)
        return unsafeDowncast(object, to: Item.self)
    }
}
