import Foundation

/// A kind of managed object: its name, its class, its attributes and its relationships.
///
/// An entity may inherit from another entity, its *superentity*. It then has the superentity's properties before its
/// own, its objects lie in the same table, and a fetch of the superentity finds them as well. Descriptions are
/// immutable, so threads can share them.
public final class EntityDescription: Sendable {
    /// The entity's name, unique within its model.
    public let name: String
    /// The class whose instances represent the entity's objects.
    public let managedObjectClass: ManagedObject.Type
    /// The entity that this one inherits from.
    public let superentity: EntityDescription?
    /// Whether only subentities have objects, and the entity itself has none.
    public let isAbstract: Bool
    /// The attributes: those of the superentity, then the entity's own in the given order.
    public let attributes: [AttributeDescription]
    /// The relationships: those of the superentity, then the entity's own in the given order.
    public let relationships: [RelationshipDescription]
    /// Lists of attributes whose combined values must be unique: those of the superentity, then the entity's own.
    ///
    /// They also cover the entities that inherit from this one, and apply across all of them. An object without one of
    /// the values is exempt.
    public let uniquenessConstraints: [[String]]

    /// Lists of attributes by which the store finds and sorts objects through an index: those of the superentity, then
    /// the entity's own.
    ///
    /// An index makes fetches with a condition or a limit cheaper, and each save of an indexed value dearer.
    public let fetchIndexes: [[String]]

    let keys: [(any AttributeKey)?]
    let relationshipKeys: [(any RelationshipKey)?]
    let layout: RowLayout
    /// The initial values of new objects.
    let defaults: [(RowField, StoredValue)]
    let uniqueness: [UniquenessConstraint]
    private let positions: [String: Int]

    /// Describes the entity that `type` declares through `entityName`, `attributes` and `relationships`.
    ///
    /// The class of a subentity is a subclass of its superentity's class, and lists only the properties that it adds.
    ///
    /// - Parameters:
    ///   - type: The class of the entity's objects.
    ///   - superentity: The entity whose properties this one inherits.
    ///   - fetchIndexes: The indexes in place of those that the class declares; nil keeps these.
    public convenience init(
        _ type: ManagedObject.Type, superentity: EntityDescription? = nil, fetchIndexes: [[String]]? = nil
    ) {
        let inherited = Set((superentity?.keys ?? []).compactMap { $0.map { ObjectIdentifier($0) } })
        let keys = type.attributes.filter { !inherited.contains(ObjectIdentifier($0)) }
        let inheritedRelationships = superentity?.relationships ?? []
        let relationships = type.relationships.filter { !inheritedRelationships.contains($0.description) }
        self.init(
            name: type.entityName, class: type, attributes: keys.map(\.description), keys: keys,
            relationships: relationships.map(\.description), relationshipKeys: relationships,
            superentity: superentity, isAbstract: type.isAbstract,
            constraints: type.uniquenessConstraints.filter {
                superentity?.uniquenessConstraints.contains($0) != true
            },
            indexes: (fetchIndexes ?? type.fetchIndexes).filter { superentity?.fetchIndexes.contains($0) != true })
    }

    /// Describes an entity without a class of its own. Its objects are plain `ManagedObject`s or objects of its
    /// superentity's class, and are read by key.
    public convenience init(
        name: String, attributes: [AttributeDescription], relationships: [RelationshipDescription] = [],
        superentity: EntityDescription? = nil, isAbstract: Bool = false, uniquenessConstraints: [[String]] = [],
        fetchIndexes: [[String]] = []
    ) {
        self.init(
            name: name, class: superentity?.managedObjectClass ?? ManagedObject.self, attributes: attributes,
            keys: attributes.map { _ in nil }, relationships: relationships,
            relationshipKeys: relationships.map { _ in nil }, superentity: superentity, isAbstract: isAbstract,
            constraints: uniquenessConstraints, indexes: fetchIndexes)
    }

    /// Describes an entity without a class of its own whose attributes are read through checked keys.
    public convenience init(
        name: String, attributes keys: [any AttributeKey], relationships: [RelationshipDescription] = [],
        superentity: EntityDescription? = nil, isAbstract: Bool = false, uniquenessConstraints: [[String]] = [],
        fetchIndexes: [[String]] = []
    ) {
        self.init(
            name: name, class: superentity?.managedObjectClass ?? ManagedObject.self,
            attributes: keys.map(\.description), keys: keys, relationships: relationships,
            relationshipKeys: relationships.map { _ in nil }, superentity: superentity, isAbstract: isAbstract,
            constraints: uniquenessConstraints, indexes: fetchIndexes)
    }

    private init(
        name: String, class type: ManagedObject.Type, attributes own: [AttributeDescription],
        keys ownKeys: [(any AttributeKey)?], relationships ownRelationships: [RelationshipDescription],
        relationshipKeys ownRelationshipKeys: [(any RelationshipKey)?], superentity: EntityDescription?,
        isAbstract: Bool, constraints: [[String]], indexes: [[String]]
    ) {
        self.name = name
        managedObjectClass = type
        self.superentity = superentity
        self.isAbstract = isAbstract
        attributes = (superentity?.attributes ?? []) + own
        relationships = (superentity?.relationships ?? []) + ownRelationships
        keys = (superentity?.keys ?? []) + ownKeys
        relationshipKeys = (superentity?.relationshipKeys ?? []) + ownRelationshipKeys
        layout = RowLayout(
            entityName: name, attributes: attributes, relationships: relationships, keys: keys,
            relationshipKeys: relationshipKeys, validatesValues: type.validatesValues,
            extending: superentity?.layout)
        positions = Dictionary(
            attributes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        defaults = zip(layout.fields, attributes).compactMap { field, attribute in
            attribute.defaultValue?.fitted(to: attribute.attributeType).map { (field, $0) }
        }
        uniquenessConstraints = (superentity?.uniquenessConstraints ?? []) + constraints
        fetchIndexes = (superentity?.fetchIndexes ?? []) + indexes
        let (known, layout) = (positions, layout)
        uniqueness =
            (superentity?.uniqueness ?? [])
            + constraints.compactMap { UniquenessConstraint($0, entityName: name, positions: known, layout: layout) }
        for (position, key) in keys.enumerated() { key?._place(at: position) }
        for (position, key) in relationshipKeys.enumerated() { key?._place(at: position) }
    }

    /// The attributes by name.
    public var attributesByName: [String: AttributeDescription] {
        positions.mapValues { attributes[$0] }
    }

    /// The relationships by name.
    public var relationshipsByName: [String: RelationshipDescription] {
        Dictionary(relationships.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether this entity is `other` or inherits from it, directly or indirectly.
    public func isKindOf(entity other: EntityDescription) -> Bool {
        self === other || superentity?.isKindOf(entity: other) == true
    }

    /// The attributes that the superentity does not have.
    var ownAttributes: ArraySlice<AttributeDescription> { attributes[(superentity?.attributes.count ?? 0)...] }

    /// The relationships that the superentity does not have.
    var ownRelationships: ArraySlice<RelationshipDescription> {
        relationships[(superentity?.relationships.count ?? 0)...]
    }

    /// Returns the position among a row's fields of the to-one relationship at `position`.
    func field(ofToOne position: Int) -> Int {
        attributes.count + relationships[..<position].count { !$0.isToMany }
    }

    /// The topmost superentity, whose table holds the objects; the entity itself if it inherits from none.
    var root: EntityDescription { superentity?.root ?? self }

    /// Returns the position of the attribute `key`.
    ///
    /// - Throws: `StoreError` with `unknownKey`; the message names the nearest attribute.
    func position(of key: String) throws(StoreError) -> Int {
        if let position = positions[key] { return position }
        if relationships.contains(where: { $0.name == key }) {
            throw StoreError(.unknownKey, "\(name).\(key) is a relationship; an attribute is required here", key: key)
        }
        throw StoreError.unknownKey(key, entity: name, known: attributes.map(\.name))
    }

    /// The names of a row's fields: those of attributes and of to-one relationships.
    var fieldNames: [String] { attributes.map(\.name) + relationships.lazy.filter { !$0.isToMany }.map(\.name) }

    /// Returns the position among a row's fields of the attribute or to-one relationship `key`.
    ///
    /// - Throws: `StoreError` with `unknownKey`.
    func fieldPosition(of key: String) throws(StoreError) -> Int {
        if let position = relationships.firstIndex(where: { $0.name == key && !$0.isToMany }) {
            return field(ofToOne: position)
        }
        return try position(of: key)
    }

    /// Converts a value of unknown type to the form of the attribute at `position`.
    ///
    /// - Throws: `StoreError` with `wrongType`.
    func storedValue(_ value: Any?, at position: Int) throws(StoreError) -> StoredValue {
        let attribute = attributes[position]
        if attribute.attributeType == .transformable, let value, let stored = try keys[position]?._stored(value) {
            return stored
        }
        if let stored = StoredValue(any: value)?.fitted(to: attribute.attributeType) { return stored }
        throw StoreError.wrongType(value, attribute: attribute, entity: name)
    }

    /// Inserts a new object of the entity `name` into `context`.
    ///
    /// - Throws: `StoreError` with `unknownEntity`; with `invalidRequest` for an abstract entity.
    public static func insertNewObject(
        forEntityName name: String, into context: ManagedObjectContext
    ) throws(StoreError) -> ManagedObject {
        try context.insertNewObject(try entity(forName: name, in: context))
    }

    /// Returns the entity `name` in the model of `context`.
    ///
    /// - Throws: `StoreError` with `unknownEntity`; the message names the nearest entity.
    public static func entity(
        forName name: String, in context: ManagedObjectContext
    ) throws(StoreError) -> EntityDescription {
        try context.model.entity(named: name)
    }
}

extension EntityDescription: CustomStringConvertible {
    /// The entity's name and attributes.
    public var description: String {
        "\(name)(\(attributes.map { "\($0.name): \($0.attributeType.rawValue)" }.joined(separator: ", ")))"
    }
}
