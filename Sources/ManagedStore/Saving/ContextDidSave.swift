import Foundation

/// What a context saved: the message that other contexts merge.
///
/// The context also posts it as a notification under Core Data's keys. Both forms hold IDs; sets of objects are made
/// only when they are read.
public struct ContextDidSave: Sendable {
    /// The context that saved. Use its objects on its queue alone.
    public let context: ManagedObjectContext
    /// The inserted objects.
    public internal(set) var insertedObjectIDs = ObjectIDSet()
    /// The updated objects.
    public internal(set) var updatedObjectIDs = ObjectIDSet()
    /// The deleted objects.
    public internal(set) var deletedObjectIDs = ObjectIDSet()
    /// The saved rows; the message keeps them in the row cache for the contexts that merge them.
    var savedRows: [RowPage] = []

    init(context: ManagedObjectContext) {
        self.context = context
    }

    /// Reads the message of a did-save notification; nil for any other notification.
    public init?(_ notification: Notification) {
        guard let message = notification.userInfo?[ManagedObjectContext.NotificationKey.message] as? ContextDidSave
        else { return nil }
        self = message
    }

    /// Adds the objects that the store changed as a side effect to the updated ones.
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

    /// Posts the notification. It carries the deleted objects themselves, since no context resolves their IDs any more.
    func post(deleted: ContiguousArray<ManagedObject>) {
        NotificationCenter.default.post(
            name: ManagedObjectContext.didSaveObjectsNotification, object: context,
            userInfo: Self.userInfo.filled([
                self,
                insertedObjectIDs, ManagedObjectSet(context, insertedObjectIDs),
                updatedObjectIDs, ManagedObjectSet(context, updatedObjectIDs),
                deletedObjectIDs, ManagedObjectSet(deleted[...]),
            ]))
    }

    private static let userInfo = {
        typealias Key = ManagedObjectContext.NotificationKey
        return UserInfoTemplate([
            Key.message, Key.insertedObjectIDs, Key.inserted, Key.updatedObjectIDs, Key.updated, Key.deletedObjectIDs,
            Key.deleted,
        ])
    }()
}

extension ManagedObjectContext {
    /// Posted on the context's queue before a save.
    public static let willSaveObjectsNotification = Notification.Name("ManagedObjectContextWillSave")
    /// Posted on the context's queue after a save; ``ContextDidSave/init(_:)`` reads it.
    public static let didSaveObjectsNotification = Notification.Name("ManagedObjectContextDidSave")
    /// Posted on the context's queue when it processes pending changes: at the end of a block, and before a save.
    public static let didChangeObjectsNotification = Notification.Name("ManagedObjectContextObjectsDidChange")

    /// The keys of a notification's `userInfo`. They are Core Data's; the values are ``ManagedObjectSet`` and
    /// ``ObjectIDSet``.
    public enum NotificationKey {
        /// The inserted objects.
        public static let inserted = "inserted"
        /// The updated objects.
        public static let updated = "updated"
        /// The deleted objects.
        public static let deleted = "deleted"
        /// The objects that took on values from the store.
        public static let refreshed = "refreshed"
        /// The objects that became faults because their state in the store is uncertain.
        public static let invalidated = "invalidated"
        /// Present if the context was reset.
        public static let invalidatedAll = "invalidatedAll"
        /// The IDs of the inserted objects.
        public static let insertedObjectIDs = "inserted_objectIDs"
        /// The IDs of the updated objects.
        public static let updatedObjectIDs = "updated_objectIDs"
        /// The IDs of the deleted objects.
        public static let deletedObjectIDs = "deleted_objectIDs"
        /// The IDs of the objects that took on values from the store.
        public static let refreshedObjectIDs = "refreshed_objectIDs"
        /// The IDs of the objects that became faults because their state in the store is uncertain.
        public static let invalidatedObjectIDs = "invalidated_objectIDs"
        /// The error that prevented a merge.
        public static let error = "error"
        static let message = "message"
        static let mergedUpdates = "mergedUpdates"
    }
}

/// The objects of a notification, looked up only when they are read.
public final class ManagedObjectSet {
    private enum Source {
        case ids(ObjectIDSet, ManagedObjectContext)
        case objects(ArraySlice<ManagedObject>)
    }

    private let source: Source
    /// The objects. Read them on their context's queue.
    public private(set) lazy var objects: Set<ManagedObject> =
        switch source {
        case .ids(let ids, let context): Set(ids.map { context.object(with: $0) })
        case .objects(let objects): Set(objects)
        }

    init(_ context: ManagedObjectContext, _ ids: ObjectIDSet) { source = .ids(ids, context) }

    init(_ objects: ArraySlice<ManagedObject>) { source = .objects(objects) }
}
