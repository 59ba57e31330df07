import Foundation

/// A kind of managed object: its name, its class, its attributes and its relationships.
///
/// An entity may inherit from another, its *superentity*: it then has that one's properties before its own, its objects
/// lie in the same table, and a fetch of the superentity finds them too. Immutable, and so shared freely between
/// threads.
public final class EntityDescription: Sendable {
    /// The entity's name, unique within its model.
    public let name: String
    /// The class whose instances represent the entity's objects.
    public let managedObjectClass: ManagedObject.Type
    /// The entity that this one inherits from.
    public let superentity: EntityDescription?
    /// Whether there are objects of subentities alone, none of this entity itself.
    public let isAbstract: Bool
    /// The attributes: the superentity's, then its own, in the order in which they were given.
    public let attributes: [AttributeDescription]
    /// The relationships: the superentity's, then its own, in the order in which they were given.
    public let relationships: [RelationshipDescription]
    /// Lists of attributes whose values, taken together, no two objects may have in common: the superentity's, then its
    /// own. They hold for the entities that inherit from this one too, and between them. A missing value is no value in
    /// common.
    public let uniquenessConstraints: [[String]]

    let keys: [(any AttributeKey)?]
    let layout: RowLayout
    /// What new objects start with.
    let defaults: [(RowField, StoredValue)]
    let uniqueness: [UniquenessConstraint]
    private let positions: [String: Int]

    /// Describes the entity that `type` declares through its `entityName`, `attributes` and `relationships`.
    ///
    /// A subentity's class is a subclass of its superentity's, and lists the properties that it adds.
    public convenience init(_ type: ManagedObject.Type, superentity: EntityDescription? = nil) {
        let inherited = Set((superentity?.keys ?? []).compactMap { $0.map { ObjectIdentifier($0) } })
        let keys = type.attributes.filter { !inherited.contains(ObjectIdentifier($0)) }
        let inheritedRelationships = superentity?.relationships ?? []
        let relationships = type.relationships.map(\.description).filter { !inheritedRelationships.contains($0) }
        self.init(
            name: type.entityName, class: type, attributes: keys.map(\.description), keys: keys,
            relationships: relationships, superentity: superentity, isAbstract: type.isAbstract,
            constraints: type.uniquenessConstraints.filter {
                superentity?.uniquenessConstraints.contains($0) != true
            })
    }

    /// Describes an entity without a class of its own: its objects are plain `ManagedObject`s, or of its superentity's
    /// class, read by key.
    public convenience init(
        name: String, attributes: [AttributeDescription], relationships: [RelationshipDescription] = [],
        superentity: EntityDescription? = nil, isAbstract: Bool = false, uniquenessConstraints: [[String]] = []
    ) {
        self.init(
            name: name, class: superentity?.managedObjectClass ?? ManagedObject.self, attributes: attributes,
            keys: attributes.map { _ in nil }, relationships: relationships, superentity: superentity,
            isAbstract: isAbstract, constraints: uniquenessConstraints)
    }

    /// Describes an entity without a class of its own whose attributes are read through checked keys.
    public convenience init(
        name: String, attributes keys: [any AttributeKey], relationships: [RelationshipDescription] = [],
        superentity: EntityDescription? = nil, isAbstract: Bool = false, uniquenessConstraints: [[String]] = []
    ) {
        self.init(
            name: name, class: superentity?.managedObjectClass ?? ManagedObject.self,
            attributes: keys.map(\.description), keys: keys, relationships: relationships, superentity: superentity,
            isAbstract: isAbstract, constraints: uniquenessConstraints)
    }

    private init(
        name: String, class type: ManagedObject.Type, attributes own: [AttributeDescription],
        keys ownKeys: [(any AttributeKey)?], relationships ownRelationships: [RelationshipDescription],
        superentity: EntityDescription?, isAbstract: Bool, constraints: [[String]]
    ) {
        self.name = name
        managedObjectClass = type
        self.superentity = superentity
        self.isAbstract = isAbstract
        attributes = (superentity?.attributes ?? []) + own
        relationships = (superentity?.relationships ?? []) + ownRelationships
        keys = (superentity?.keys ?? []) + ownKeys
        layout = RowLayout(
            entityName: name, attributes: attributes, toOnes: relationships.filter { !$0.isToMany }, keys: keys,
            validatesValues: type.validatesValues, extending: superentity?.layout)
        positions = Dictionary(
            attributes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        defaults = zip(layout.fields, attributes).compactMap { field, attribute in
            attribute.defaultValue?.fitted(to: attribute.attributeType).map { (field, $0) }
        }
        uniquenessConstraints = (superentity?.uniquenessConstraints ?? []) + constraints
        let (known, layout) = (positions, layout)
        uniqueness =
            (superentity?.uniqueness ?? [])
            + constraints.compactMap { UniquenessConstraint($0, entityName: name, positions: known, layout: layout) }
        for (position, key) in keys.enumerated() { key?._place(at: position) }
    }

    /// The attributes by name.
    public var attributesByName: [String: AttributeDescription] {
        positions.mapValues { attributes[$0] }
    }

    /// The relationships by name.
    public var relationshipsByName: [String: RelationshipDescription] {
        Dictionary(relationships.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether this is `other`, or inherits from it, be it over several generations.
    public func isKindOf(entity other: EntityDescription) -> Bool {
        self === other || superentity?.isKindOf(entity: other) == true
    }

    /// The attributes that the superentity does not have.
    var ownAttributes: ArraySlice<AttributeDescription> { attributes[(superentity?.attributes.count ?? 0)...] }

    /// The relationships that the superentity does not have.
    var ownRelationships: ArraySlice<RelationshipDescription> {
        relationships[(superentity?.relationships.count ?? 0)...]
    }

    /// The position among a row's fields of the to-one relationship at `position`.
    func field(ofToOne position: Int) -> Int {
        attributes.count + relationships[..<position].count { !$0.isToMany }
    }

    /// The last of the superentities, whose table holds the objects; the entity itself if it inherits from none.
    var root: EntityDescription { superentity?.root ?? self }

    /// The position of the attribute called `key`.
    ///
    /// - Throws: `StoreError` with `unknownKey`, naming the nearest attribute.
    func position(of key: String) throws(StoreError) -> Int {
        if let position = positions[key] { return position }
        if relationships.contains(where: { $0.name == key }) {
            throw StoreError(.unknownKey, "\(name).\(key) is a relationship, where an attribute is wanted", key: key)
        }
        throw StoreError.unknownKey(key, entity: name, known: attributes.map(\.name))
    }

    /// The names of a row's fields: the attributes and the to-one relationships.
    var fieldNames: [String] { attributes.map(\.name) + relationships.lazy.filter { !$0.isToMany }.map(\.name) }

    /// The position among a row's fields of the attribute or to-one relationship called `key`.
    ///
    /// - Throws: `StoreError` with `unknownKey`.
    func fieldPosition(of key: String) throws(StoreError) -> Int {
        if let position = relationships.firstIndex(where: { $0.name == key && !$0.isToMany }) {
            return field(ofToOne: position)
        }
        return try position(of: key)
    }

    /// A value of unknown type in the form in which the attribute at `position` keeps it.
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

    /// Makes a new object of the entity called `name` in `context`.
    ///
    /// - Throws: `StoreError` with `unknownEntity`; with `invalidRequest` for an abstract entity.
    public static func insertNewObject(
        forEntityName name: String, into context: ManagedObjectContext
    ) throws(StoreError) -> ManagedObject {
        try context.insertNewObject(try entity(forName: name, in: context))
    }

    /// The entity called `name` in the model of `context`.
    ///
    /// - Throws: `StoreError` with `unknownEntity`, naming the nearest one.
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
