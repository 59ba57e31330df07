import Foundation

/// Deletes many objects directly in the store, without loading them.
///
/// The request follows delete rules, in one transaction: it deletes what they cascade to, clears the references of
/// other objects, and removes links. It is refused, with nothing deleted, while a relationship with the rule `deny`
/// leads anywhere, and if a required relationship of another object would lead nowhere. Where rules concern no other
/// objects it takes one statement.
///
/// It validates nothing else, posts no notification, and ignores unsaved changes. Objects that contexts hold stay as
/// they are; a context that changes one of them gets a conflict when it saves.
///
/// ```swift
/// let done = FetchRequest(Item.self, predicate: .compare("done", .equal, true))
/// var request = BatchDeleteRequest(fetchRequest: done)
/// request.resultType = .count
/// let result = try context.execute(request)
/// ```
public struct BatchDeleteRequest: Sendable {
    /// The kind of result that `execute` returns.
    public enum ResultType: Sendable {
        /// No result.
        case statusOnly
        /// The IDs of the deleted objects, those included that delete rules cascaded to.
        case objectIDs
        /// The number of deleted objects, those included that delete rules cascaded to.
        case count
    }

    enum Objects: Sendable {
        case found(FetchRequest<ManagedObject>)
        case identified([ManagedObjectID])
    }

    /// The kind of result that `execute` returns.
    public var resultType = ResultType.statusOnly
    let objects: Objects

    /// Deletes the objects that `request` finds in the store, by its predicate, order, limit and offset.
    public init<Object: ManagedObject>(fetchRequest request: FetchRequest<Object>) {
        var erased = FetchRequest(
            entityName: request.entityName, sortDescriptors: request.sortDescriptors, predicate: request.predicate)
        (erased.fetchLimit, erased.fetchOffset) = (request.fetchLimit, request.fetchOffset)
        erased.includesPendingChanges = false
        erased.includesSubentities = request.includesSubentities
        objects = .found(erased)
    }

    /// Deletes the objects with `ids`, which must be of one entity. Ignores objects that do not exist any more.
    public init(objectIDs ids: [ManagedObjectID]) {
        objects = .identified(ids)
    }
}

/// The result of a ``BatchDeleteRequest``, of the requested kind.
public enum BatchDeleteResult: Sendable {
    /// No result.
    case statusOnly
    /// The IDs of the deleted objects, in ascending order of keys; entity by entity if there are several.
    case objectIDs([ManagedObjectID])
    /// The number of deleted objects.
    case count(Int)
}
