import Foundation

/// Identifies one object of one entity of one store, in any process.
///
/// An object that was never saved has a *temporary* ID; a save replaces it by a permanent one. IDs are small values: an
/// array of a million takes 16 MB.
public struct ManagedObjectID: Sendable, Hashable {
    let source: ObjectIDSource
    let key: Int64

    /// The key that no row has.
    static let noKey: Int64 = 0

    /// The entity of the object.
    public var entity: EntityDescription { source.entity }

    /// The row's primary key; negative for a temporary ID. For the drivers of `bench`, which tell records by it.
    package var primaryKey: Int64 { key }

    /// Whether the object is not saved yet, so that the ID has a meaning only in its context.
    public var isTemporaryID: Bool { key < 0 }

    /// Returns the ID as a URI: `x-coredata://<store UUID>/<Entity>/p<key>`, or `x-coredata:///<Entity>/t<number>` for
    /// a temporary ID.
    public func uriRepresentation() -> URL {
        let text =
            isTemporaryID
            ? "x-coredata:///\(entity.name)/t\(key.magnitude)"
            : "x-coredata://\(source.storeIdentifier.uuidString)/\(entity.name)/p\(key)"
        guard let url = URL(string: text) else { fatalError("\(text) is not a URI") }
        return url
    }

    /// Whether both identify the same object.
    public static func == (left: ManagedObjectID, right: ManagedObjectID) -> Bool {
        left.key == right.key && (left.source === right.source || left.source.isEqual(to: right.source))
    }

    /// Hashes the key, which nearly always distinguishes objects by itself.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
    }

    /// Hashes the key for a set or a dictionary.
    public func _rawHashValue(seed: Int) -> Int { QuickHash.value(of: UInt64(bitPattern: key), seed: seed) }
}

extension ManagedObjectID: CustomStringConvertible {
    /// The URI.
    public var description: String { uriRepresentation().absoluteString }
}

/// The part that all IDs of one entity in one store share.
final class ObjectIDSource: Sendable {
    let storeIdentifier: UUID
    let model: ManagedObjectModel
    let entity: EntityDescription
    /// The entity's position in the model.
    let entityIndex: Int
    /// The position of the root entity; a key is unique within its hierarchy.
    let rootIndex: Int

    init(storeIdentifier: UUID, model: ManagedObjectModel, entityIndex: Int) {
        self.storeIdentifier = storeIdentifier
        self.model = model
        self.entityIndex = entityIndex
        entity = model.entities[entityIndex]
        rootIndex = model.hierarchy.roots[entityIndex]
    }

    /// Makes the source of rows that are not objects: results computed from the rows of `base`, in the layout of
    /// `entity`.
    init(_ base: ObjectIDSource, laidOutAs entity: EntityDescription) {
        storeIdentifier = base.storeIdentifier
        model = base.model
        entityIndex = base.entityIndex
        rootIndex = base.rootIndex
        self.entity = entity
    }

    /// Returns the sources of all entities of `model`, in its order.
    static func all(_ model: ManagedObjectModel, _ storeIdentifier: UUID) -> [ObjectIDSource] {
        model.entities.indices.map { ObjectIDSource(storeIdentifier: storeIdentifier, model: model, entityIndex: $0) }
    }

    /// Returns the ID of an object of the same store.
    func id(of reference: ObjectReference) -> ManagedObjectID {
        let entity = Int(reference.entity)
        let source =
            entity == entityIndex
            ? self : ObjectIDSource(storeIdentifier: storeIdentifier, model: model, entityIndex: entity)
        return ManagedObjectID(source: source, key: reference.key)
    }

    /// Returns the IDs of objects of the same store. Mostly all are of one entity, whose IDs then share a source.
    func ids(of references: some Sequence<ObjectReference>) -> [ManagedObjectID] {
        var last: ManagedObjectID?
        return references.map { reference in
            if let last, last.source.entityIndex == Int(reference.entity) {
                return ManagedObjectID(source: last.source, key: reference.key)
            }
            let id = id(of: reference)
            last = id
            return id
        }
    }

    /// Returns a reference to the object with `id`; nil if its entity is not in the model.
    func reference(to id: ManagedObjectID) -> ObjectReference? {
        if id.source.model === model { return ObjectReference(entity: id.source.entityIndex, key: id.key) }
        return model.entities.firstIndex { $0.name == id.entity.name }.map { ObjectReference(entity: $0, key: id.key) }
    }

    func isEqual(to other: ObjectIDSource) -> Bool {
        storeIdentifier == other.storeIdentifier && entity.name == other.entity.name
    }
}
