@testable import ManagedStore

extension CoreDataFile {
    static let folder = EntityDescription(
        name: "Folder",
        attributes: [
            AttributeDescription("name", .string), AttributeDescription("createdAt", .date),
            AttributeDescription("identifier", .uuid, isOptional: true),
        ],
        relationships: [
            RelationshipDescription("notes", to: "Note", inverse: "folder", isToMany: true, isOrdered: true),
            RelationshipDescription("cover", to: "Medium"),
            RelationshipDescription("parent", to: "Folder", inverse: "children"),
            RelationshipDescription("children", to: "Folder", inverse: "parent", isToMany: true),
        ])
    static let medium = EntityDescription(
        name: "Medium", attributes: [AttributeDescription("isPinned", .boolean, isOptional: true)], isAbstract: true)
    static let image = EntityDescription(
        name: "Image",
        attributes: [
            AttributeDescription("title", .string, isOptional: true),
            AttributeDescription("width", .double, isOptional: true),
        ], superentity: medium)
    static let note = EntityDescription(
        name: "Note",
        attributes: [
            AttributeDescription("title", .string, isOptional: true),
            AttributeDescription("modifiedAt", .date, isOptional: true),
            AttributeDescription("price", .decimal, isOptional: true),
            AttributeDescription("link", .uri, isOptional: true),
            AttributeDescription("body", .binaryData, isOptional: true),
        ],
        relationships: [
            RelationshipDescription("folder", to: "Folder", inverse: "notes"),
            RelationshipDescription("tags", to: "Tag", inverse: "notes", isToMany: true),
        ], superentity: medium)
    static let tag = EntityDescription(
        name: "Tag", attributes: [AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("notes", to: "Note", inverse: "tags", isToMany: true, isOrdered: true)])

    /// The model in code that fits the file.
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [folder, medium, image, note, tag])
    }
}

extension ManagedObjectContext {
    /// The only object of an entity whose attribute has a value.
    func only(_ entity: String, _ key: String, _ value: String) throws -> ManagedObject {
        let found = try fetch(FetchRequest(entityName: entity, predicate: .compare(key, .equal, value)))
        guard let first = found.first, found.count == 1 else {
            throw StoreError(.invalidRequest, "\(found.count) of \(entity) have the \(key) \(value)")
        }
        return first
    }
}

extension ManagedObject {
    func string(_ key: String) throws -> String? { try value(forKey: key) as? String }

    func object(_ key: String) throws -> ManagedObject? { try value(forKey: key) as? ManagedObject }

    /// The values of an attribute of the objects in an ordered relationship.
    func strings(_ key: String, of relationship: String) throws -> [String?] {
        try (value(forKey: relationship) as? [ManagedObject])?.map { try $0.string(key) } ?? []
    }
}
