@testable import ManagedStore

/// Entities that are related by every kind of relationship, with every delete rule.
enum Workshop {
    static func model() throws -> ManagedObjectModel {
        let bin = EntityDescription(
            name: "Bin", attributes: [name], relationships: [many("things", "Thing", "bin", rule: .deny)])
        return try ManagedObjectModel(entities: [
            bin,
            EntityDescription(
                name: "Drawer", attributes: [AttributeDescription("width", .double, isOptional: true)],
                superentity: bin),
            EntityDescription(
                name: "Thing", attributes: [name],
                relationships: [
                    one("bin", "Bin", "things", isOptional: false),
                    one("shelf", "Shelf", "parts"), many("labels", "Label", "things"),
                    many("owners", "Owner", "things"), one("peer", "Thing", "peer"), one("badge", "Badge", "thing"),
                    RelationshipDescription("mark", to: "Label"),
                ]),
            EntityDescription(
                name: "Shelf", attributes: [name],
                relationships: [
                    many("parts", "Thing", "shelf", isOrdered: true), many("crates", "Crate", "shelf", rule: .cascade),
                ]),
            EntityDescription(
                name: "Crate", attributes: [name],
                relationships: [
                    one("shelf", "Shelf", "crates", isOptional: false), one("seal", "Seal", "crate", rule: .cascade),
                ]),
            EntityDescription(
                name: "Seal", attributes: [name], relationships: [one("crate", "Crate", "seal", isOptional: false)]),
            EntityDescription(name: "Badge", attributes: [name], relationships: [one("thing", "Thing", "badge")]),
            EntityDescription(
                name: "Label", attributes: [name], relationships: [many("things", "Thing", "labels", isOrdered: true)]),
            EntityDescription(
                name: "Owner", attributes: [name], relationships: [many("things", "Thing", "owners", rule: .deny)]),
        ])
    }

    private static let name = AttributeDescription("name", .string, isOptional: true)

    private static func one(
        _ name: String, _ destination: String, _ inverse: String, isOptional: Bool = true,
        rule: RelationshipDescription.DeleteRule = .nullify
    ) -> RelationshipDescription {
        RelationshipDescription(name, to: destination, inverse: inverse, isOptional: isOptional, deleteRule: rule)
    }

    private static func many(
        _ name: String, _ destination: String, _ inverse: String, isOrdered: Bool = false,
        rule: RelationshipDescription.DeleteRule = .nullify
    ) -> RelationshipDescription {
        RelationshipDescription(
            name, to: destination, inverse: inverse, isToMany: true, isOrdered: isOrdered, deleteRule: rule)
    }

    static func store(_ backend: Backend) throws -> TestStore { try TestStore(backend, model: try model()) }
}

extension ManagedObjectContext {
    /// A new object, its relationships set.
    func make(_ entity: String, _ values: [String: Any] = [:]) throws -> ManagedObject {
        let object = try EntityDescription.insertNewObject(forEntityName: entity, into: self)
        for (key, value) in values { try object.setValue(value, forKey: key) }
        return object
    }

    /// This context's own object for one of another context.
    func own(_ object: ManagedObject) throws -> ManagedObject { try existingObject(with: object.objectID) }
}

extension ManagedObject {
    /// What a to-one relationship leads to.
    func one(_ key: String) throws -> ManagedObject? { try value(forKey: key) as? ManagedObject }

    /// What a to-many relationship leads to.
    func many(_ key: String) throws -> Set<ManagedObject> {
        let value = try value(forKey: key)
        return value as? Set<ManagedObject> ?? Set(value as? [ManagedObject] ?? [])
    }
}
