import Foundation

/// The entities that a store holds.
///
/// ```swift
/// let model = try ManagedObjectModel(Item.self)
/// ```
public final class ManagedObjectModel: Sendable {
    /// The entities, in alphabetical order.
    public let entities: [EntityDescription]
    private let byName: [String: EntityDescription]
    private let byClass: [ObjectIdentifier: EntityDescription]
    /// The inheritance among the entities, by their positions.
    let hierarchy: EntityHierarchy
    /// The relationships with both ends resolved.
    let graph: RelationshipGraph

    /// Makes a model of entities.
    ///
    /// - Throws: `StoreError` with `invalidModel` for an entity or attribute that has a duplicate or invalid name, or a
    ///   default value of the wrong type; for invalid limits, lengths or patterns; for a superentity that is not in the
    ///   model; for relationships whose ends do not fit together.
    public init(entities: [EntityDescription]) throws(StoreError) {
        self.entities = entities.sorted { $0.name < $1.name }
        byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        byClass = Self.byClass(entities)
        hierarchy = EntityHierarchy(self.entities)
        graph = try RelationshipGraph(self.entities, hierarchy)
        try checkNames()
        for entity in entities {
            try Self.check(entity)
            try checkInheritance(of: entity)
        }
    }

    /// Makes a model of the entities that these classes declare. A class whose superclass is in the list becomes its
    /// subentity.
    ///
    /// - Throws: the errors of `init(entities:)`.
    public convenience init(_ classes: ManagedObject.Type...) throws(StoreError) {
        var described = DescribedClasses(classes)
        try self.init(entities: classes.map { described.entity(for: $0) })
    }

    /// The entities by name.
    public var entitiesByName: [String: EntityDescription] { byName }

    /// Returns the entity `name`.
    ///
    /// - Throws: `StoreError` with `unknownEntity`; the message names the nearest entity.
    public func entity(named name: String) throws(StoreError) -> EntityDescription {
        if let entity = byName[name] { return entity }
        throw StoreError.unknownEntity(name, known: entities.map(\.name))
    }

    /// Returns the entities that inherit directly from `entity`, in alphabetical order. In Core Data this is a property
    /// of the entity.
    public func subentities(of entity: EntityDescription) -> [EntityDescription] {
        entities.filter { $0.superentity === entity }
    }

    func entity(for type: ManagedObject.Type) throws(StoreError) -> EntityDescription {
        if let entity = byClass[ObjectIdentifier(type)] { return entity }
        throw StoreError(.unknownEntity, "class \(type) is not in the model; it has \(entities.map(\.name))")
    }

    /// Returns the entity that declares each class, not the subentities that have no class of their own.
    private static func byClass(_ entities: [EntityDescription]) -> [ObjectIdentifier: EntityDescription] {
        let classed = entities.filter {
            $0.managedObjectClass != ManagedObject.self && $0.superentity?.managedObjectClass != $0.managedObjectClass
        }
        return Dictionary(
            classed.map { (ObjectIdentifier($0.managedObjectClass), $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func checkNames() throws(StoreError) {
        if let twice = entities.map({ $0.name.uppercased() }).firstRepeated {
            throw StoreError(.invalidModel, "the model has two entities called \(twice) (case is ignored); rename one")
        }
    }

    private static func check(_ entity: EntityDescription) throws(StoreError) {
        let properties = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        let names = [entity.name] + properties
        if let wrong = names.first(where: { !isIdentifier($0) }) {
            throw StoreError(
                .invalidModel,
                "\"\(wrong)\" in entity \(entity.name) is not a name: use letters, digits and underscores")
        }
        if let twice = properties.map({ $0.uppercased() }).firstRepeated {
            throw StoreError(
                .invalidModel, "entity \(entity.name) has two properties called \(twice) (case is ignored); rename one")
        }
        for attribute in entity.attributes {
            guard let fault = attribute.fault else { continue }
            throw StoreError(.invalidModel, "\(entity.name).\(attribute.name): \(fault)")
        }
        if let fault = entity.faultOfUniqueness ?? entity.faultOfIndexes {
            throw StoreError(.invalidModel, "\(entity.name): \(fault)")
        }
    }

    private func checkInheritance(of entity: EntityDescription) throws(StoreError) {
        guard let superentity = entity.superentity else { return }
        guard entities.contains(where: { $0 === superentity }) else {
            throw StoreError(
                .invalidModel,
                "\(entity.name) inherits from \(superentity.name), which is not in the model; list it too")
        }
        guard entity.managedObjectClass.isKind(of: superentity.managedObjectClass) else {
            throw StoreError(
                .invalidModel,
                "\(entity.name) inherits from \(superentity.name), but its class \(entity.managedObjectClass) does not "
                    + "inherit from \(superentity.managedObjectClass)")
        }
    }

    private static func isIdentifier(_ name: String) -> Bool {
        guard name.unicodeScalars.first?.isLetter == true else { return false }
        return name.unicodeScalars.allSatisfy(\.isInNames)
    }
}

extension Unicode.Scalar {
    /// Whether it is a letter of any script.
    fileprivate var isLetter: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }

    /// Whether it may follow the first letter of a name. Mathematical signs and spaces may not: SQL has names unquoted.
    fileprivate var isInNames: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber: true
        default: isLetter || self == "_"
        }
    }
}

/// Makes one entity for each class, superclasses first.
private struct DescribedClasses {
    private let listed: Set<ObjectIdentifier>
    private var entities: [ObjectIdentifier: EntityDescription] = [:]

    init(_ classes: [ManagedObject.Type]) {
        listed = Set(classes.map { ObjectIdentifier($0) })
    }

    mutating func entity(for type: ManagedObject.Type) -> EntityDescription {
        if let known = entities[ObjectIdentifier(type)] { return known }
        let superclass = type.superclasses.first { listed.contains(ObjectIdentifier($0)) }
        let entity = EntityDescription(type, superentity: superclass.map { self.entity(for: $0) })
        entities[ObjectIdentifier(type)] = entity
        return entity
    }
}

extension ManagedObject {
    /// The superclasses up to but excluding `ManagedObject`, nearest first.
    static var superclasses: some Sequence<ManagedObject.Type> {
        sequence(first: self) { _getSuperclass($0) as? ManagedObject.Type }.dropFirst()
            .prefix { $0 != ManagedObject.self }
    }

    fileprivate static func isKind(of type: ManagedObject.Type) -> Bool {
        self == type || type == ManagedObject.self || superclasses.contains { $0 == type }
    }
}

extension Array where Element: Hashable {
    fileprivate var firstRepeated: Element? {
        var seen = Set<Element>()
        return first { !seen.insert($0).inserted }
    }
}
