import Dispatch
import Foundation

/// A scratch pad of managed objects: fetches them, keeps one instance of each, and saves what was changed as a whole.
///
/// A context and its objects belong to one queue (or, with `.confinement`, one thread); only `perform`,
/// `performAndWait` and what is documented as callable from anywhere may be used elsewhere.
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
    /// The coordinator that the context, or the last of its parents, fetches from and saves to.
    public let persistentStoreCoordinator: PersistentStoreCoordinator
    /// The context that this one fetches from and saves to; nil for one on the coordinator itself.
    public var parent: ManagedObjectContext? { parentStore?.parent }
    /// A name for debugging.
    public var name: String?
    /// For how many seconds after a row was read a fault may be filled from the coordinator's row cache; -1, unless
    /// set, without limit, and 0 always reads the store.
    public var stalenessInterval: TimeInterval = -1
    /// How a save settles conflicts with rows that were changed since this context read them; ``MergePolicy/error``
    /// unless set.
    public var mergePolicy = MergePolicy.error
    /// Remembers steps, to take them back; nil, unless set: remembering takes time and memory. On the context's queue.
    @exclusivity(unchecked) public var undoManager: UndoManager? {
        didSet { undoManager?.context = self }
    }
    /// The queue that the context's blocks run on, for instruments that watch it; nil with `.confinement`.
    public var dispatchQueue: DispatchQueue? { executor.queue }

    let model: ManagedObjectModel
    let parentStore: ParentContextStore?
    /// Where faults are filled from. A child context has one of its own, which nothing is taken from: its parent is as
    /// near.
    let rowCache: RowCache
    let executor: ContextExecutor
    let registry: ObjectRegistry
    // What the context's queue alone touches, for each object: without the check for overlapping access, which costs
    // more than the access.
    @exclusivity(unchecked) var pending: PendingChanges
    @exclusivity(unchecked) var relationshipTable = RelationshipTable()
    @exclusivity(unchecked) var followed = FollowedObjects()
    let automaticMerging = AutomaticMerging()
    /// See ``readingError``.
    var keptReadingError: StoreError?
    /// That unsaved changes were dropped; kept likewise.
    var keptLoss: StoreError?
    /// The class of the object made last, and the page that has its row.
    @exclusivity(unchecked) var lastInserted: (type: ManagedObject.Type, page: RowPage)?
    /// The page that the next new or changed row of each entity goes to.
    @exclusivity(unchecked) var writablePages: [RowPage?]
    /// The source of an ID that was found to be of this context's store and model.
    var knownSource: ObjectIDSource?
    /// Keys that changed in the store's eyes while asynchronous fetches are under way.
    var fetchesUnderWay: [ObjectIdentifier: ChangedKeys] = [:]

    /// Makes a context on a coordinator. With `.confinement`, the default as in Core Data, it belongs to the calling
    /// thread.
    public convenience init(
        concurrencyType: ConcurrencyType = .confinement, coordinator: PersistentStoreCoordinator
    ) {
        self.init(concurrencyType, coordinator, nil)
    }

    /// Makes a child of another context: it fetches what the parent has, unsaved changes included, and a save makes its
    /// changes unsaved changes of the parent's, and no more.
    ///
    /// What the child does waits for the parent's queue. New objects get their permanent IDs when the child saves, or
    /// when it fetches them from the parent. Two who change the same object meet in no conflict: the one that saves
    /// last wins, attribute by attribute.
    ///
    /// - Throws: `StoreError` with `noStore` when the coordinator has no store; with `concurrency` for a child with a
    ///   queue of a confinement context, whose blocks nothing could wait for.
    public convenience init(
        concurrencyType: ConcurrencyType = .confinement, parent: ManagedObjectContext
    ) throws(StoreError) {
        if parent.concurrencyType == .confinement, concurrencyType != .confinement {
            throw StoreError(
                .concurrency,
                "\(parent.descriptionForErrors) has no queue, so that a \(concurrencyType.rawValue) context cannot be its child"
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
        pending = PendingChanges()
        writablePages = model.entities.map { _ in nil }
        registry.attach(self)
    }

    deinit {
        registry.detach()
    }
}

extension ManagedObjectContext {
    /// Whether there is something to save.
    public var hasChanges: Bool {
        checkQueue()
        return !pending.isEmpty || changedMetadata != nil
    }

    /// The application's entries, if they changed; a child context leaves them to its parent.
    var changedMetadata: [String: StoredValue]? { parent == nil ? persistentStoreCoordinator.changedMetadata : nil }

    /// The objects made in this context and not saved. O(n).
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

    /// All objects that the context knows: those with unsaved changes, and those that your code keeps a reference to.
    /// O(n).
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
