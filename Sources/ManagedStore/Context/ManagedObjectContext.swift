import Dispatch
import Foundation

/// A scratch pad of managed objects: fetches them, keeps one instance of each, and saves what was changed as a whole.
///
/// A context and its objects belong to one queue (or, with `.confinement`, one thread); only `perform`, `performAndWait` and what
/// is documented as callable from anywhere may be used elsewhere.
///
/// ```swift
/// let context = ManagedObjectContext(concurrencyType: .privateQueue, coordinator: coordinator)
/// try await context.perform {
///     let item = Item(context: context)
///     item.name = "Buy milk"
///     try context.save()
/// }
/// ```
public final class ManagedObjectContext: @unchecked Sendable {
    // Unchecked: everything that can change is confined to the context's queue, which `checkQueue()` watches over; the
    // registry has a lock, since objects die on any thread.

    /// Where a context's blocks run and its objects may be used.
    public enum ConcurrencyType: String, Sendable {
        /// On the thread that made the context; it has no queue.
        case confinement = "ConfinementConcurrencyType"
        /// On a serial queue of the context's own.
        case privateQueue = "PrivateQueueConcurrencyType"
        /// On the main dispatch queue.
        case mainQueue = "MainQueueConcurrencyType"
    }

    /// Where the context's objects may be used.
    public let concurrencyType: ConcurrencyType
    /// The coordinator that the context fetches from and saves to.
    public let persistentStoreCoordinator: PersistentStoreCoordinator
    /// A name for debugging.
    public var name: String?
    /// For how many seconds after a row was read a fault may be filled from the coordinator's row cache; -1, unless set, without
    /// limit, and 0 always reads the store.
    public var stalenessInterval: TimeInterval = -1
    /// What a save does about rows that somebody else has changed meanwhile; ``MergePolicy/error`` unless set.
    public var mergePolicy = MergePolicy.error
    /// The queue that the context's blocks run on, for instruments that watch it; nil with `.confinement`.
    public var dispatchQueue: DispatchQueue? { executor.queue }

    let model: ManagedObjectModel
    let executor: ContextExecutor
    let registry: ObjectRegistry
    var pending: PendingChanges
    var relationshipTable = RelationshipTable()
    let automaticMerging = AutomaticMerging()
    /// The class of the object made last, and where its IDs come from.
    var lastInserted: (type: ManagedObject.Type, source: ObjectIDSource)?
    /// The page that the next new or changed row of each entity goes to.
    var writablePages: [RowPage?]
    /// The source of an ID that was found to be of this context's store and model.
    var knownSource: ObjectIDSource?
    /// Keys that changed in the store's eyes while asynchronous fetches are under way.
    var fetchesUnderWay: [ObjectIdentifier: ChangedKeys] = [:]

    /// Makes a context on a coordinator. With `.confinement`, the default as in Core Data, it belongs to the calling thread.
    public init(concurrencyType: ConcurrencyType = .confinement, coordinator: PersistentStoreCoordinator) {
        self.concurrencyType = concurrencyType
        persistentStoreCoordinator = coordinator
        model = coordinator.managedObjectModel
        executor = ContextExecutor(concurrencyType)
        registry = ObjectRegistry(entityCount: model.entities.count)
        pending = PendingChanges()
        writablePages = model.entities.map { _ in nil }
        registry.attach(self)
    }
}

extension ManagedObjectContext {
    /// Whether there is something to save.
    public var hasChanges: Bool {
        checkQueue()
        return !pending.isEmpty || persistentStoreCoordinator.changedMetadata != nil
    }

    /// The objects made in this context and not saved. O(n).
    public var insertedObjects: Set<ManagedObject> {
        checkQueue()
        return Set(pending.inserted.lazy.filter(\.isInserted))
    }

    /// The objects changed and not saved. O(n).
    public var updatedObjects: Set<ManagedObject> {
        checkQueue()
        return Set(pending.updated)
    }

    /// The objects that the next save deletes. O(n).
    public var deletedObjects: Set<ManagedObject> {
        checkQueue()
        return Set(pending.deleted)
    }

    /// All objects that the context knows: those with unsaved changes, and those that somebody holds. O(n).
    public var registeredObjects: Set<ManagedObject> {
        checkQueue()
        return Set(registry.objects()).union(insertedObjects)
    }
}

extension ManagedObjectContext: CustomStringConvertible {
    /// The context and its address, as Core Data writes it.
    public var description: String {
        "<ManagedObjectContext: 0x\(String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16))>"
    }
}
