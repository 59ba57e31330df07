import ManagedStore

/// The model with which every file is opened, and the one to which it is migrated then.
enum FuzzModel {
    /// An attribute of every type, inheritance, every kind of relationship, unique values, defaults.
    static func current() throws -> ManagedObjectModel {
        let asset = EntityDescription(Asset.self)
        let book = EntityDescription(Book.self, superentity: asset)
        return try ManagedObjectModel(entities: [
            asset, book, EntityDescription(Atlas.self, superentity: book),
            EntityDescription(Chart.self, superentity: asset), EntityDescription(Holder.self),
            EntityDescription(Cover.self), EntityDescription(Tag.self),
        ])
    }

    /// The same without classes, grown by attributes, a relationship, a unique value and an entity.
    static func grown() throws -> ManagedObjectModel {
        var entities: [EntityDescription] = []
        for entity in try current().entities.sorted(by: { $0.depth < $1.depth }) {
            let superentity = entities.first { $0.name == entity.superentity?.name }
            entities.append(grown(entity, superentity))
        }
        let holders = RelationshipDescription("holders", to: "Holder", inverse: "shelf", isToMany: true)
        let name = AttributeDescription("name", .string, isOptional: true)
        entities.append(EntityDescription(name: "Shelf", attributes: [name], relationships: [holders]))
        return try ManagedObjectModel(entities: entities)
    }

    private static func grown(_ entity: EntityDescription, _ superentity: EntityDescription?) -> EntityDescription {
        var attributes = Array(entity.attributes[(superentity?.attributes.count ?? 0)...])
        var relationships = Array(entity.relationships[(superentity?.relationships.count ?? 0)...])
        var constraints = Array(entity.uniquenessConstraints[(superentity?.uniquenessConstraints.count ?? 0)...])
        attributes.append(AttributeDescription("new\(entity.name)", .integer32, defaultValue: .integer32(7)))
        if entity.name == "Holder" {
            relationships.append(RelationshipDescription("shelf", to: "Shelf", inverse: "holders"))
        }
        if entity.name == "Tag" { constraints.append(["name"]) }
        return EntityDescription(
            name: entity.name, attributes: attributes, relationships: relationships, superentity: superentity,
            isAbstract: entity.isAbstract, uniquenessConstraints: constraints)
    }
}

extension EntityDescription {
    fileprivate var depth: Int { (superentity?.depth ?? -1) + 1 }
}
