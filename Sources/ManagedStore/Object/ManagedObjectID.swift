import Foundation

/// Identifies one object of one entity of one store, in this process and in others.
///
/// An object that was never saved has a *temporary* ID, which its permanent one replaces when it is saved. IDs are
/// small values: a million of them are one array of 16 MB.
public struct ManagedObjectID: Sendable, Hashable {
    let source: ObjectIDSource
    let key: Int64

    /// The entity of the object.
    public var entity: EntityDescription { source.entity }

    /// Whether the object was not saved yet, so that the ID means nothing outside its context.
    public var isTemporaryID: Bool { key < 0 }

    /// The ID as a URI: `x-coredata://<store UUID>/<Entity>/p<key>`, or `x-coredata:///<Entity>/t<number>` while it is
    /// temporary.
    public func uriRepresentation() -> URL {
        let text =
            isTemporaryID
            ? "x-coredata:///\(entity.name)/t\(key.magnitude)"
            : "x-coredata://\(source.storeIdentifier.uuidString)/\(entity.name)/p\(key)"
        guard let url = URL(string: text) else { fatalError("\(text) is not a URI") }
        return url
    }

    /// Whether both name the same object.
    public static func == (left: ManagedObjectID, right: ManagedObjectID) -> Bool {
        left.key == right.key && (left.source === right.source || left.source.isEqual(to: right.source))
    }

    /// Feeds the key, which nearly always tells objects apart by itself.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
    }
}

extension ManagedObjectID: CustomStringConvertible {
    /// The URI.
    public var description: String { uriRepresentation().absoluteString }
}

/// What the IDs of one entity in one store have in common.
final class ObjectIDSource: Sendable {
    let storeIdentifier: UUID
    let model: ManagedObjectModel
    let entity: EntityDescription
    /// The entity's position in the model.
    let entityIndex: Int
    /// The position of the entity at the root of the hierarchy, within which a key names one object.
    let rootIndex: Int

    init(storeIdentifier: UUID, model: ManagedObjectModel, entityIndex: Int) {
        self.storeIdentifier = storeIdentifier
        self.model = model
        self.entityIndex = entityIndex
        entity = model.entities[entityIndex]
        rootIndex = model.hierarchy.roots[entityIndex]
    }

    /// The source of rows that are no objects: results computed from those of `base`, and laid out as `entity` says.
    init(_ base: ObjectIDSource, laidOutAs entity: EntityDescription) {
        storeIdentifier = base.storeIdentifier
        model = base.model
        entityIndex = base.entityIndex
        rootIndex = base.rootIndex
        self.entity = entity
    }

    /// The sources of all entities of `model`, in its order.
    static func all(_ model: ManagedObjectModel, _ storeIdentifier: UUID) -> [ObjectIDSource] {
        model.entities.indices.map { ObjectIDSource(storeIdentifier: storeIdentifier, model: model, entityIndex: $0) }
    }

    /// The ID of an object of the same store.
    func id(of reference: ObjectReference) -> ManagedObjectID {
        let entity = Int(reference.entity)
        let source =
            entity == entityIndex
            ? self : ObjectIDSource(storeIdentifier: storeIdentifier, model: model, entityIndex: entity)
        return ManagedObjectID(source: source, key: reference.key)
    }

    /// A reference to the object with `id`; nil if its entity is not in the model.
    func reference(to id: ManagedObjectID) -> ObjectReference? {
        if id.source.model === model { return ObjectReference(entity: id.source.entityIndex, key: id.key) }
        return model.entities.firstIndex { $0.name == id.entity.name }.map { ObjectReference(entity: $0, key: id.key) }
    }

    func isEqual(to other: ObjectIDSource) -> Bool {
        storeIdentifier == other.storeIdentifier && entity.name == other.entity.name
    }
}
