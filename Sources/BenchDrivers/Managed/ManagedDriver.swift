import BenchHarness
import Foundation
import ManagedStore

/// A driver for ManagedStore, used as its documentation recommends.
public struct ManagedDriver: StoreDriver {
    /// Creates the driver.
    public init() {}

    /// `managed`.
    public var name: String { "managed" }
    /// One line for `bench list`.
    public var summary: String { "ManagedStore: managed objects, contexts and requests over SQLite" }
    /// The version of SQLite.
    public var properties: [String: String] { SQLiteDriver.libraryProperties }

    /// Each entity has a table of its own, which holds the records of those that inherit from it too.
    public func obstacle(to feature: Schema.Feature) -> String? { nil }

    /// Returns a reason for what batch updates cannot do, for nulls where the class of an entity allows none, and for
    /// what it cannot do with the records of a file.
    public func unsupportedReason(for phase: Phase, in schema: Schema) -> String? {
        let entity = schema.entity.record
        if let attribute = phase.attributeSetToMissing, Self.hasTypedClass(schema) {
            return "the class of \(entity.name) requires a value of \(attribute)"
        }
        if let reason = OriginObstacle(phase, schema)?.reason { return reason }
        guard let work = phase.work.as(UpdateWork.self), work.mode == .batch,
            let relationship = entity.toOnes.map(\.relationship).first(where: { name in
                work.set.contains { $0.attribute == name }
            })
        else { return nil }
        return "a batch update sets attributes, no relationships such as \(relationship)"
    }

    /// The sessions have all capabilities, for records of every kind.
    public var sessionType: any StoreSession.Type { ManagedSession<FieldsMapping>.self }

    /// Writes by SQL, through a connection that no session has.
    public func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? {
        RecordPlanter(database: RecordFile(configuration), generator: configuration.records)
    }

    /// Opens the store file in the configuration's directory, and creates it if there is none.
    public func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        try Self.open(configuration, in: ManagedFile(configuration))
    }

    /// Opens the store at a place, with the class that its entity has.
    static func open(_ configuration: StoreConfiguration, in place: any ManagedPlace) throws -> any StoreSession {
        let mappings = mappings(of: configuration.schema)
        func open(_ mapping: some ObjectMapping) throws -> any StoreSession {
            try ManagedSession(configuration, mapping, mappings, in: place)
        }
        return try open(mappings[configuration.schema.focus])
    }

    /// Returns the mappings of the entities, by their places: to the classes written for them, or to plain objects.
    static func mappings(of schema: Schema) -> [any ObjectMapping] {
        let entity = schema.entities[0].record
        if let mappings = OwnedItemMapping.all(of: schema) { return mappings }
        if schema.entities.count == 1, isItem(entity) { return [ItemMapping(entity)] }
        if schema.entities.count == 1, MessageMapping.describes(entity) { return [MessageMapping(entity)] }
        return FieldsMapping.all(of: schema)
    }

    // The typed classes belong to entities with these names; another entity of the same shape has no class.

    private static func isItem(_ entity: EntitySpec) -> Bool {
        ItemRecord.describes(entity) && entity.name == ItemObject.entityName
    }

    /// Whether the objects of the focus are of a class whose attributes all have values.
    private static func hasTypedClass(_ schema: Schema) -> Bool {
        !(mappings(of: schema)[schema.focus] is FieldsMapping)
    }

    /// Copies files in Core Data's layout.
    public var adopter: (any StoreAdopter)? { SQLiteDriver().adopter }

    /// Returns a reader of the store's file that shares no code with ManagedStore.
    public func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        RecordFileInspector(configuration)
    }
}
