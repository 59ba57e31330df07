import Foundation

/// Which objects were changed, by their IDs: what is merged into contexts that did not hear of it otherwise.
///
/// ```swift
/// let result = try context.execute(request)  // a batch update with `.updatedObjectIDs`
/// guard case .updatedObjectIDs(let ids) = result else { return }
/// try ManagedObjectContext.mergeChanges(ObjectIDChanges(updated: ObjectIDSet(ids)), into: [context])
/// ```
public struct ObjectIDChanges: Sendable {
    /// Objects that are new: they become known as faults.
    public var inserted: ObjectIDSet
    /// Objects that were changed: those that are registered take on their new values, under their unsaved changes.
    public var updated: ObjectIDSet
    /// Objects that were deleted: they leave the context.
    public var deleted: ObjectIDSet
    /// Objects to be read again, as updated ones are.
    public var refreshed: ObjectIDSet
    /// Objects of which nothing is certain any more: they become faults, their unsaved changes are dropped, and lists
    /// lose them.
    public var invalidated: ObjectIDSet

    /// Makes changes of the sets that there are.
    public init(
        inserted: ObjectIDSet = ObjectIDSet(), updated: ObjectIDSet = ObjectIDSet(),
        deleted: ObjectIDSet = ObjectIDSet(), refreshed: ObjectIDSet = ObjectIDSet(),
        invalidated: ObjectIDSet = ObjectIDSet()
    ) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
        self.refreshed = refreshed
        self.invalidated = invalidated
    }

    /// What a context saved.
    public init(_ message: ContextDidSave) {
        self.init(
            inserted: message.insertedObjectIDs, updated: message.updatedObjectIDs, deleted: message.deletedObjectIDs)
    }

    /// Those whose rows are not what they were.
    var stale: [ObjectIDSet] { [updated, deleted, refreshed, invalidated] }
}

extension ObjectIDChanges {
    /// Reads a dictionary as Core Data's function takes it: ``ManagedObjectContext/NotificationKey`` to IDs or URIs.
    ///
    /// - Throws: `StoreError` with `invalidRequest` for values that are neither.
    init(_ dictionary: [String: Any], _ contexts: [ManagedObjectContext]) throws(StoreError) {
        typealias Key = ManagedObjectContext.NotificationKey
        func ids(_ keys: String...) throws(StoreError) -> ObjectIDSet {
            var found: [ManagedObjectID] = []
            for key in keys {
                guard let value = dictionary[key] else { continue }
                found += try Self.ids(value, key, contexts)
            }
            return ObjectIDSet(found)
        }
        self.init(
            inserted: try ids(Key.inserted, Key.insertedObjectIDs), updated: try ids(Key.updated, Key.updatedObjectIDs),
            deleted: try ids(Key.deleted, Key.deletedObjectIDs),
            refreshed: try ids(Key.refreshed, Key.refreshedObjectIDs),
            invalidated: try ids(Key.invalidated, Key.invalidatedObjectIDs))
    }

    private static func ids(
        _ value: Any, _ key: String, _ contexts: [ManagedObjectContext]
    ) throws(StoreError) -> [ManagedObjectID] {
        // A notification's own objects belong to one queue; their IDs stand beside them.
        if value is ManagedObjectSet { return [] }
        guard let values = value as? any Sequence else { throw wrong(value, key) }
        var ids: [ManagedObjectID] = []
        for value in Array<Any>(values) {
            switch value {
            case let id as ManagedObjectID: ids.append(id)
            case let uri as URL: ids += id(of: uri, contexts)
            default: throw wrong(value, key)
            }
        }
        return ids
    }

    /// The ID in terms of the first context that knows the store; the others find their own by it.
    private static func id(of uri: URL, _ contexts: [ManagedObjectContext]) -> [ManagedObjectID] {
        for context in contexts {
            if let id = context.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri) { return [id] }
        }
        return []
    }

    private static func wrong(_ value: Any, _ key: String) -> StoreError {
        StoreError(
            .invalidRequest, "\"\(key)\" holds a \(type(of: value)); changes to merge are object IDs, or their URIs")
    }
}

extension Array {
    fileprivate init(_ sequence: any Sequence) where Element == Any {
        self = sequence.map { $0 }
    }
}
