import Foundation

/// Deletes many objects in the store itself, in one statement, without loading them.
///
/// Nothing is validated, no delete rule is followed, no notification is posted, and objects that contexts hold stay as
/// they are; a context that changes one of them meets a conflict when it saves. Unsaved changes do not count.
///
/// ```swift
/// let done = FetchRequest(Item.self, predicate: .compare("done", .equal, true))
/// var request = BatchDeleteRequest(fetchRequest: done)
/// request.resultType = .count
/// let result = try context.execute(request)
/// ```
public struct BatchDeleteRequest: Sendable {
    /// What `execute` hands back.
    public enum ResultType: Sendable {
        /// Nothing but that it was done.
        case statusOnly
        /// The IDs of the objects that were deleted.
        case objectIDs
        /// How many objects were deleted.
        case count
    }

    enum Objects: Sendable {
        case found(FetchRequest<ManagedObject>)
        case identified([ManagedObjectID])
    }

    /// What `execute` hands back.
    public var resultType = ResultType.statusOnly
    let objects: Objects

    /// Deletes what `request` finds in the store: its predicate, order, limit and offset count.
    public init<Object: ManagedObject>(fetchRequest request: FetchRequest<Object>) {
        var erased = FetchRequest(
            entityName: request.entityName, sortDescriptors: request.sortDescriptors, predicate: request.predicate)
        (erased.fetchLimit, erased.fetchOffset) = (request.fetchLimit, request.fetchOffset)
        erased.includesPendingChanges = false
        erased.includesSubentities = request.includesSubentities
        objects = .found(erased)
    }

    /// Deletes the objects with `ids`, all of one entity; those that are gone already count for nothing.
    public init(objectIDs ids: [ManagedObjectID]) {
        objects = .identified(ids)
    }
}

/// What became of a ``BatchDeleteRequest``, in the form that it asked for.
public enum BatchDeleteResult: Sendable {
    /// It was done.
    case statusOnly
    /// The IDs of the objects that were deleted, in ascending order of keys.
    case objectIDs([ManagedObjectID])
    /// How many objects were deleted.
    case count(Int)
}
