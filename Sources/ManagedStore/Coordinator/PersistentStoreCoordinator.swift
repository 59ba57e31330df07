import Foundation
import Locking

/// Stands between contexts and their store; may be used from any thread.
///
/// ```swift
/// let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
/// try coordinator.addPersistentStore(.sqlite, at: URL(filePath: "items.sqlite"))
/// let context = ManagedObjectContext(concurrencyType: .mainQueue, coordinator: coordinator)
/// ```
public final class PersistentStoreCoordinator: Sendable {
    private struct State {
        var store: (any PersistentStore)?
        var unsavedMetadata: [String: StoredValue]?
    }

    /// The model that every store must fit.
    public let managedObjectModel: ManagedObjectModel
    let rowCache: RowCache
    private let state = Locked(State())
    /// Held while a store is opened: of several threads that add one, the first to succeed has done it. Nothing foreign
    /// runs meanwhile.
    private let adding = Lock()

    /// Makes a coordinator without a store.
    public init(managedObjectModel: ManagedObjectModel) {
        self.managedObjectModel = managedObjectModel
        rowCache = RowCache(entityCount: managedObjectModel.entities.count)
    }

    /// Opens the store at `url`, or makes it; an in-memory store needs no URL. The options are those of its type, such
    /// as ``SQLiteStoreOptions``.
    ///
    /// - Throws: `StoreError` with `incompatibleStore` for a file that is no store, or one that does not fit the model:
    ///   it is left as it is; with `storeFailure` when it cannot be opened; with `invalidRequest` when there is a store
    ///   already, or `url` or `options` are nothing for the store.
    public func addPersistentStore(
        _ type: StoreType, at url: URL? = nil, options: (any PersistentStoreOptions)? = nil
    ) throws(StoreError) {
        adding.lock()
        defer { adding.unlock() }
        guard currentStore == nil else {
            throw StoreError(
                .invalidRequest, "the coordinator has a store already; use another coordinator for a second one")
        }
        let opened = try type.open(
            StoreOpening(type: type, model: managedObjectModel, url: url, options: options))
        state.withLock { $0.store = opened }
    }

    /// Closes the store. Contexts that still use it get `noStore` errors.
    public func removePersistentStore() throws(StoreError) {
        let removed = state.withLock { state in
            defer { state.store = nil }
            return state.store
        }
        rowCache.forgetAll()
        try removed?.close()
    }

    private var currentStore: (any PersistentStore)? { state.withLock { $0.store } }

    /// The store.
    ///
    /// - Throws: `StoreError` with `noStore`.
    func requireStore() throws(StoreError) -> any PersistentStore {
        if let store = currentStore { return store }
        throw StoreError(.noStore, "the coordinator has no store; call addPersistentStore(_:at:) first")
    }

    /// The ID that a URI stands for; nil for a temporary one, one of another store, or one that names no entity.
    public func managedObjectID(forURIRepresentation uri: URL) -> ManagedObjectID? {
        guard uri.scheme == "x-coredata", let store = currentStore,
            uri.host()?.uppercased() == store.identifier.uuidString
        else { return nil }
        let parts = uri.path().split(separator: "/")
        guard parts.count == 2, parts[1].first == "p", let key = Int64(parts[1].dropFirst()), key > 0,
            let source = store.sources.first(where: { $0.entity.name == parts[0] })
        else { return nil }
        return ManagedObjectID(source: source, key: key)
    }

    /// The UUID that the store's URIs begin with; nil without a store.
    public var storeIdentifier: UUID? { currentStore?.identifier }

    /// Entries of the application's own, kept with the store. What is set is written by the next save of any context.
    public var metadata: [String: StoredValue] {
        get {
            state.withLock { $0.unsavedMetadata ?? $0.store?.metadata ?? [:] }
        }
        set {
            state.withLock { $0.unsavedMetadata = newValue }
        }
    }

    var changedMetadata: [String: StoredValue]? { state.withLock { $0.unsavedMetadata } }

    func didSave(metadata saved: [String: StoredValue]?) {
        state.withLock { if $0.unsavedMetadata == saved { $0.unsavedMetadata = nil } }
    }

    /// Exact counts of what the store did since it was opened or `resetStatistics()` was called.
    public var statistics: StoreStatistics { currentStore?.statistics ?? StoreStatistics() }

    /// Sets the statistics to zero.
    public func resetStatistics() { currentStore?.resetStatistics() }

    /// Writes the write-ahead log back into the database file and truncates it.
    public func checkpoint() throws(StoreError) { try requireStore().checkpoint() }
}
