import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// A file that is opened with one model after another.
struct VersionedFile: FileFixture {
    let directory: TemporaryDirectory
    var url: URL { directory.file("store.sqlite") }

    static let name = AttributeDescription("name", .string)

    /// An entity with a name, and what else it is given.
    static func entity(
        _ entityName: String, _ attributes: AttributeDescription..., relationships: [RelationshipDescription] = [],
        superentity: EntityDescription? = nil
    ) -> EntityDescription {
        EntityDescription(
            name: entityName, attributes: (superentity == nil ? [name] : []) + attributes, relationships: relationships,
            superentity: superentity)
    }

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A file with two items, "a" and "b", of an entity with a name.
    static func withItems() throws -> VersionedFile {
        let file = try VersionedFile()
        let context = try file.open(entity("Item"))
        for name in ["a", "b"] { try context.insert("Item", name) }
        try context.save()
        try context.persistentStoreCoordinator.removePersistentStore()
        return file
    }

    /// A context of the calling thread on the file.
    func open(_ entities: EntityDescription..., migrates: Bool = true) throws -> ManagedObjectContext {
        let options = SQLiteStoreOptions(synchronous: .off, migratesAutomatically: migrates)
        return ManagedObjectContext(coordinator: try coordinator(try ManagedObjectModel(entities: entities), options))
    }

    /// Expects a model to be refused and the file to stay as it is; hands over what was said.
    func refusal(_ entities: EntityDescription..., migrates: Bool = true) throws -> String {
        let before = try directory.contents()
        let model = try ManagedObjectModel(entities: entities)
        let options = SQLiteStoreOptions(synchronous: .off, migratesAutomatically: migrates)
        let error = expectError(.incompatibleStore) { try coordinator(model, options) }
        return try directory.contents() == before ? error?.message ?? "" : "the file was changed"
    }

    /// Everything in the file, as SQL would print it.
    func dump() throws -> [String] {
        let database = try database()
        let tables = try database.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        return try database.lines("SELECT name, sql FROM sqlite_master ORDER BY name")
            + tables.flatMap { try database.lines("SELECT * FROM \($0[0] ?? "")") }
    }
}

extension TemporaryDirectory {
    /// The bytes of every file in the folder.
    func contents() throws -> [String: Data] {
        Dictionary(uniqueKeysWithValues: try names().map { ($0, try Data(contentsOf: file($0))) })
    }
}

extension ManagedObjectContext {
    @discardableResult
    func insert(_ entity: String, _ name: String) throws -> ManagedObject {
        let object = try EntityDescription.insertNewObject(forEntityName: entity, into: self)
        try object.setValue(name, forKey: "name")
        return object
    }
}
