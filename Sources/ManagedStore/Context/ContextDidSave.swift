import Foundation

/// What a context saved: the message that other contexts merge.
///
/// Posted as a notification too, under Core Data's keys; the IDs are in it either way, and object sets are only made
/// when they are asked for.
public struct ContextDidSave: Sendable {
    /// The context that saved. Use its objects on its queue alone.
    public let context: ManagedObjectContext
    /// The objects that were new.
    public internal(set) var insertedObjectIDs = ObjectIDSet()
    /// The objects that were changed.
    public internal(set) var updatedObjectIDs = ObjectIDSet()
    /// The objects that were deleted.
    public internal(set) var deletedObjectIDs = ObjectIDSet()
    /// The saved rows, kept in the row cache for the contexts that merge them.
    var savedRows: [RowPage] = []

    init(context: ManagedObjectContext) {
        self.context = context
    }

    /// The message in a did-save notification; nil for any other notification.
    public init?(_ notification: Notification) {
        guard let message = notification.userInfo?[ManagedObjectContext.NotificationKey.message] as? ContextDidSave
        else { return nil }
        self = message
    }

    /// Counts what the store changed by itself among what was changed.
    mutating func note(_ effects: SideEffects, _ sources: [ObjectIDSource]) {
        for (entity, keys) in effects.keys {
            let source = sources[entity]
            let others = keys.filter { key in
                let id = ManagedObjectID(source: source, key: key)
                return !insertedObjectIDs.contains(id) && !deletedObjectIDs.contains(id)
            }
            updatedObjectIDs.insert(others, of: source)
        }
    }

    /// Posts the notification. The deleted objects are handed over, since their IDs lead nowhere any more.
    func post(deleted: ContiguousArray<ManagedObject>) {
        typealias Key = ManagedObjectContext.NotificationKey
        NotificationCenter.default.post(
            name: ManagedObjectContext.didSaveObjectsNotification, object: context,
            userInfo: [
                Key.message: self,
                Key.insertedObjectIDs: insertedObjectIDs, Key.inserted: ManagedObjectSet(context, insertedObjectIDs),
                Key.updatedObjectIDs: updatedObjectIDs, Key.updated: ManagedObjectSet(context, updatedObjectIDs),
                Key.deletedObjectIDs: deletedObjectIDs, Key.deleted: ManagedObjectSet(deleted),
            ])
    }
}

extension ManagedObjectContext {
    /// Posted on the context's queue before it saves.
    public static let willSaveObjectsNotification = Notification.Name("ManagedObjectContextWillSave")
    /// Posted on the context's queue after it saved; ``ContextDidSave/init(_:)`` reads it.
    public static let didSaveObjectsNotification = Notification.Name("ManagedObjectContextDidSave")
    /// Posted on the context's queue when pending changes are processed: at the end of a block, and before a save.
    public static let didChangeObjectsNotification = Notification.Name("ManagedObjectContextObjectsDidChange")

    /// Keys of a notification's `userInfo`: Core Data's, whose values here are ``ManagedObjectSet`` and
    /// ``ObjectIDSet``.
    public enum NotificationKey {
        /// The objects that are new.
        public static let inserted = "inserted"
        /// The objects that changed.
        public static let updated = "updated"
        /// The objects that were deleted.
        public static let deleted = "deleted"
        /// The objects that took on values from the store.
        public static let refreshed = "refreshed"
        /// The objects that became faults because nothing is certain of them any more.
        public static let invalidated = "invalidated"
        /// Present when the context was reset.
        public static let invalidatedAll = "invalidatedAll"
        /// The IDs of the objects that are new.
        public static let insertedObjectIDs = "inserted_objectIDs"
        /// The IDs of the objects that changed.
        public static let updatedObjectIDs = "updated_objectIDs"
        /// The IDs of the objects that were deleted.
        public static let deletedObjectIDs = "deleted_objectIDs"
        /// The IDs of the objects that took on values from the store.
        public static let refreshedObjectIDs = "refreshed_objectIDs"
        /// The IDs of the objects that became faults because nothing is certain of them any more.
        public static let invalidatedObjectIDs = "invalidated_objectIDs"
        /// Why a save could not be merged.
        public static let error = "error"
        static let message = "message"
        static let mergedUpdates = "mergedUpdates"
    }
}

/// The objects that a notification tells of, found or collected only when they are asked for.
public final class ManagedObjectSet {
    private let make: () -> Set<ManagedObject>
    /// The objects; on their context's queue.
    public private(set) lazy var objects: Set<ManagedObject> = make()

    init(_ context: ManagedObjectContext, _ ids: ObjectIDSet) {
        make = { Set(ids.map { context.object(with: $0) }) }
    }

    init(_ objects: some Sequence<ManagedObject>) {
        make = { Set(objects) }
    }
}
