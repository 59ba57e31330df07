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

    /// Makes a model of entities.
    ///
    /// - Throws: `StoreError` with `invalidModel` for an entity or attribute that is named twice, has no usable name, or has
    ///   a default value of the wrong type; for limits, lengths or a pattern that make no sense.
    public init(entities: [EntityDescription]) throws(StoreError) {
        self.entities = entities.sorted { $0.name < $1.name }
        byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        byClass = Dictionary(
            entities.filter { $0.managedObjectClass != ManagedObject.self }
                .map { (ObjectIdentifier($0.managedObjectClass), $0) },
            uniquingKeysWith: { first, _ in first })
        try checkNames()
        for entity in entities { try Self.check(entity) }
    }

    /// Makes a model of the entities that these classes declare.
    ///
    /// - Throws: as `init(entities:)`.
    public convenience init(_ classes: ManagedObject.Type...) throws(StoreError) {
        try self.init(entities: classes.map { EntityDescription($0) })
    }

    /// The entities by name.
    public var entitiesByName: [String: EntityDescription] { byName }

    /// The entity called `name`.
    ///
    /// - Throws: `StoreError` with `unknownEntity`, naming the nearest one.
    public func entity(named name: String) throws(StoreError) -> EntityDescription {
        if let entity = byName[name] { return entity }
        throw StoreError.unknownEntity(name, known: entities.map(\.name))
    }

    func entity(for type: ManagedObject.Type) throws(StoreError) -> EntityDescription {
        if let entity = byClass[ObjectIdentifier(type)] { return entity }
        throw StoreError(.unknownEntity, "class \(type) is not in the model; it has \(entities.map(\.name))")
    }

    private func checkNames() throws(StoreError) {
        if let twice = entities.map({ $0.name.uppercased() }).firstRepeated {
            throw StoreError(.invalidModel, "the model has two entities called \(twice) (case is ignored)")
        }
    }

    private static func check(_ entity: EntityDescription) throws(StoreError) {
        let names = [entity.name] + entity.attributes.map(\.name)
        if let wrong = names.first(where: { !isIdentifier($0) }) {
            throw StoreError(
                .invalidModel,
                "\"\(wrong)\" in entity \(entity.name) is not a name: use letters, digits and underscores")
        }
        if let twice = entity.attributes.map({ $0.name.uppercased() }).firstRepeated {
            throw StoreError(
                .invalidModel, "entity \(entity.name) has two attributes called \(twice) (case is ignored)")
        }
        for attribute in entity.attributes {
            guard let fault = attribute.fault else { continue }
            throw StoreError(.invalidModel, "\(entity.name).\(attribute.name): \(fault)")
        }
    }

    private static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, first.isLetter else { return false }
        return name.utf8.allSatisfy { $0.isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == 95 }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}

extension Array where Element: Hashable {
    fileprivate var firstRepeated: Element? {
        var seen = Set<Element>()
        return first { !seen.insert($0).inserted }
    }
}
