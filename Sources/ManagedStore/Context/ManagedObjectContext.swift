import Dispatch
import Foundation

/// A scratch pad of managed objects: it fetches them, keeps one instance of each, and saves all their changes as one
/// unit.
///
/// A context and its objects belong to one queue or, with `.confinement`, to one thread. Elsewhere, use only `perform`,
/// `performAndWait` and the members documented as callable from any thread.
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
    // Unchecked: all mutable state is confined to the context's queue, which `checkQueue()` checks. The registry has a
    // lock, since objects die on any thread.

    /// Where a context's blocks run and its objects may be used.
    public enum ConcurrencyType: String, Sendable {
        /// On the thread that made the context, which has no queue.
        case confinement = "ConfinementConcurrencyType"
        /// On a serial queue that belongs to the context alone.
        case privateQueue = "PrivateQueueConcurrencyType"
        /// On the main dispatch queue.
        case mainQueue = "MainQueueConcurrencyType"
    }

    /// Where the context's objects may be used.
    public let concurrencyType: ConcurrencyType
    /// The coordinator that the context, or the last of its parents, fetches from and saves to.
    public let persistentStoreCoordinator: PersistentStoreCoordinator
    /// The context that this one fetches from and saves to; nil for a context directly on the coordinator.
    public var parent: ManagedObjectContext? { parentStore?.parent }
    /// A name for debugging.
    public var name: String?
    /// The number of seconds after which a row in the coordinator's row cache is too old to fill a fault. -1, the
    /// default, sets no limit; 0 always reads the store.
    public var stalenessInterval: TimeInterval = -1
    /// How a save settles conflicts with rows that changed since this context read them; ``MergePolicy/error`` unless
    /// set.
    public var mergePolicy = MergePolicy.error
    /// Records steps that can be undone; nil unless set, because recording takes time and memory. Use it on the
    /// context's queue.
    @exclusivity(unchecked) public var undoManager: UndoManager? {
        didSet { undoManager?.context = self }
    }
    /// The queue that runs the context's blocks, for instruments that observe it; nil with `.confinement`.
    public var dispatchQueue: DispatchQueue? { executor.queue }

    let model: ManagedObjectModel
    let parentStore: ParentContextStore?
    /// The cache that fills faults. A child context has a cache of its own and never reads it: its parent is as close.
    let rowCache: RowCache
    let executor: ContextExecutor
    let registry: ObjectRegistry
    // State that only the context's queue touches, once for each object. The check for overlapping access would cost
    // more than the access.
    @exclusivity(unchecked) var pending: PendingChanges
    @exclusivity(unchecked) var relationshipTable: RelationshipTable
    @exclusivity(unchecked) var followed = FollowedObjects()
    /// The related objects that fetches read in advance.
    @exclusivity(unchecked) var prefetched = PrefetchedObjects()
    let automaticMerging = AutomaticMerging()
    /// The error behind ``readingError``.
    var keptReadingError: StoreError?
    /// The report of dropped unsaved changes, kept like a reading error.
    var keptLoss: StoreError?
    /// The class of the object inserted last, and the page with its row.
    @exclusivity(unchecked) var lastInserted: (type: ManagedObject.Type, page: RowPage)?
    /// The pages for the rows of new objects.
    @exclusivity(unchecked) var newObjectPages: OpenPages
    /// The pages for other rows that objects write to.
    @exclusivity(unchecked) var writablePages: OpenPages
    /// The store that the context's objects are of; nil before the first use, and always in a child.
    var storeIdentifier: UUID?
    /// The source of an ID that was found to belong to this context's store and model.
    var knownSource: ObjectIDSource?
    /// The keys that change in the store during each asynchronous fetch in progress.
    var fetchesUnderWay: [ObjectIdentifier: ChangedKeys] = [:]

    /// Makes a context on a coordinator. With `.confinement`, the default as in Core Data, the context belongs to the
    /// calling thread.
    public convenience init(
        concurrencyType: ConcurrencyType = .confinement, coordinator: PersistentStoreCoordinator
    ) {
        self.init(concurrencyType, coordinator, nil)
    }

    /// Makes a child of another context.
    ///
    /// The child fetches what the parent has, including the parent's unsaved changes. A save of the child makes its
    /// changes unsaved changes of the parent and writes nothing to the store.
    ///
    /// The child's requests wait for the parent's queue. New objects get their permanent IDs when the child saves them,
    /// or when it fetches them from the parent. Two contexts that change the same object do not conflict: for each
    /// attribute, the last save wins.
    ///
    /// - Throws: `StoreError` with `noStore` if the coordinator has no store; with `concurrency` for a child with a
    ///   queue whose parent is a confinement context, since no code could wait for the parent's blocks.
    public convenience init(
        concurrencyType: ConcurrencyType = .confinement, parent: ManagedObjectContext
    ) throws(StoreError) {
        if parent.concurrencyType == .confinement, concurrencyType != .confinement {
            throw StoreError(
                .concurrency,
                "\(parent.descriptionForErrors) has no queue, so a \(concurrencyType.rawValue) context cannot be its "
                    + "child; make the child with .confinement, or the parent with a queue"
            )
        }
        self.init(concurrencyType, parent.persistentStoreCoordinator, try ParentContextStore(parent))
    }

    private init(
        _ concurrencyType: ConcurrencyType, _ coordinator: PersistentStoreCoordinator,
        _ parentStore: ParentContextStore?
    ) {
        self.concurrencyType = concurrencyType
        self.parentStore = parentStore
        persistentStoreCoordinator = coordinator
        model = coordinator.managedObjectModel
        rowCache = parentStore == nil ? coordinator.rowCache : RowCache(entityCount: model.entities.count)
        executor = ContextExecutor(concurrencyType)
        registry = ObjectRegistry(entityCount: model.entities.count)
        relationshipTable = RelationshipTable(model.graph.relationships)
        pending = PendingChanges()
        newObjectPages = OpenPages(entityCount: model.entities.count, areForNewObjects: true)
        writablePages = OpenPages(entityCount: model.entities.count, areForNewObjects: false)
        registry.attach(self)
    }

    deinit {
        registry.detach()
    }
}

extension ManagedObjectContext {
    /// Whether ``save()`` has something to do or to say: there are unsaved changes, or a ``readingError`` because of
    /// which some may be missing.
    public var hasChanges: Bool {
        checkQueue()
        return !pending.isEmpty || changedMetadata != nil || keptReadingError != nil || keptLoss != nil
    }

    /// The application's metadata entries if they changed; nil in a child context, whose parent saves them.
    var changedMetadata: [String: StoredValue]? { parent == nil ? persistentStoreCoordinator.changedMetadata : nil }

    /// The objects inserted in this context and not saved. O(n).
    public var insertedObjects: Set<ManagedObject> {
        checkQueue()
        return Set(pending.inserted.lazy.filter(\.isInserted))
    }

    /// The objects changed and not saved. O(n).
    public var updatedObjects: Set<ManagedObject> {
        checkQueue()
        return Set(pending.updated.all)
    }

    /// The objects that the next save deletes. O(n).
    public var deletedObjects: Set<ManagedObject> {
        checkQueue()
        return Set(pending.deleted.all)
    }

    /// All objects that the context knows: those with unsaved changes, and those that other code keeps a reference to.
    /// O(n).
    public var registeredObjects: Set<ManagedObject> {
        checkQueue()
        return Set(registry.objects()).union(insertedObjects)
    }
}

extension ManagedObjectContext: CustomStringConvertible {
    /// The context and its address, in Core Data's format.
    public var description: String {
        "<ManagedObjectContext: 0x\(String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16))>"
    }
}
