import Foundation

/// The IDs of changed objects: merges them into contexts that received no did-save notification.
///
/// ```swift
/// let result = try context.execute(request)  // a batch update with `.updatedObjectIDs`
/// guard case .updatedObjectIDs(let ids) = result else { return }
/// try ManagedObjectContext.mergeChanges(ObjectIDChanges(updated: ObjectIDSet(ids)), into: [context])
/// ```
public struct ObjectIDChanges: Sendable {
    /// New objects, which become faults.
    public var inserted: ObjectIDSet
    /// Changed objects: registered ones take on their new values, under their unsaved changes.
    public var updated: ObjectIDSet
    /// Deleted objects, which leave the context.
    public var deleted: ObjectIDSet
    /// Objects to read again, like updated ones.
    public var refreshed: ObjectIDSet
    /// Objects whose state in the store is uncertain. They become faults, lose their unsaved changes, and leave the
    /// lists.
    public var invalidated: ObjectIDSet

    /// Makes changes from the given sets.
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

    /// Makes changes from a context's save.
    public init(_ message: ContextDidSave) {
        self.init(
            inserted: message.insertedObjectIDs, updated: message.updatedObjectIDs, deleted: message.deletedObjectIDs)
    }

    /// The objects whose cached rows are out of date.
    var stale: [ObjectIDSet] { [updated, deleted, refreshed, invalidated] }
}

extension ObjectIDChanges {
    /// Reads a dictionary in Core Data's form: keys of ``ManagedObjectContext/NotificationKey`` with IDs or URIs.
    ///
    /// - Throws: `StoreError` with `invalidRequest` for other values.
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
        // The notification's objects belong to one queue; the dictionary holds their IDs as well.
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

    /// Returns the ID as the first context that knows the store has it; the other contexts convert it.
    private static func id(of uri: URL, _ contexts: [ManagedObjectContext]) -> [ManagedObjectID] {
        for context in contexts {
            if let id = context.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri) { return [id] }
        }
        return []
    }

    private static func wrong(_ value: Any, _ key: String) -> StoreError {
        StoreError(
            .invalidRequest, "\"\(key)\" holds a \(type(of: value)); pass a sequence of object IDs or of their URIs")
    }
}

extension Array {
    fileprivate init(_ sequence: any Sequence) where Element == Any {
        self = sequence.map { $0 }
    }
}
