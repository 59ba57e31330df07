import Foundation
import Locking

/// Connects contexts with their store. Callable from any thread.
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
    /// Held while a store is opened, so that only one of several threads adds a store. No code of the caller runs
    /// meanwhile.
    private let adding = Lock()

    /// Makes a coordinator without a store.
    public init(managedObjectModel: ManagedObjectModel) {
        self.managedObjectModel = managedObjectModel
        rowCache = RowCache(entityCount: managedObjectModel.entities.count)
    }

    /// Opens the store at `url`, or creates it.
    ///
    /// An in-memory store needs no URL. The options are those of the store's type, such as ``SQLiteStoreOptions``.
    ///
    /// - Throws: `StoreError` with `incompatibleStore` for a file that is not a store or does not fit the model, which
    ///   stays unchanged; with `storeFailure` if the file cannot be opened; with `invalidRequest` if the coordinator
    ///   has a store already, or if `url` or `options` do not suit the type.
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
        try opened.observeRemoteChanges { [weak self] changes in self?.didChangeRemotely(changes) }
        state.withLock { $0.store = opened }
    }

    private func didChangeRemotely(_ changes: ObjectIDChanges?) {
        if let changes { forgetCachedRows(changes) } else { rowCache.forgetAll() }
        PersistentStoreRemoteChange(coordinator: self, changes: changes).post()
    }

    /// Removes the rows of changed objects from the row cache.
    func forgetCachedRows(_ changes: ObjectIDChanges) {
        guard let sources = currentStore?.sources else { return }
        let moment = rowCache.now()
        for group in changes.stale.flatMap(\.groups) {
            guard let own = sources.first(where: { $0.isEqual(to: group.source) }) else { continue }
            rowCache.forget(group.keys, of: own.entityIndex, at: moment)
        }
    }

    /// Closes the store. Contexts that still have objects of it receive `noStore` errors: until the same store is added
    /// again, or until they are reset.
    public func removePersistentStore() throws(StoreError) {
        let removed = state.withLock { state in
            defer { (state.store, state.unsavedMetadata) = (nil, nil) }
            return state.store
        }
        rowCache.forgetAll()
        try removed?.close()
    }

    private var currentStore: (any PersistentStore)? { state.withLock { $0.store } }

    /// Returns the store.
    ///
    /// - Throws: `StoreError` with `noStore`.
    func requireStore() throws(StoreError) -> any PersistentStore {
        if let store = currentStore { return store }
        throw StoreError(.noStore, "the coordinator has no store; call addPersistentStore(_:at:) first")
    }

    /// Returns the store with an identifier.
    ///
    /// - Throws: `StoreError` with `noStore`.
    func requireStore(_ identifier: UUID) throws(StoreError) -> any PersistentStore {
        let store = try requireStore()
        guard store.identifier == identifier else { throw StoreError.exchanged }
        return store
    }

    /// Returns the ID of a URI; nil for a temporary ID, an ID of another store, or an unknown entity.
    public func managedObjectID(forURIRepresentation uri: URL) -> ManagedObjectID? {
        guard uri.scheme == "x-coredata", let store = currentStore,
            uri.host()?.uppercased() == store.identifier.uuidString
        else { return nil }
        let parts = uri.path(percentEncoded: false).split(separator: "/")
        guard parts.count == 2, parts[1].first == "p", let key = Int64(parts[1].dropFirst()), key > 0,
            let source = store.source(ofEntityNamed: String(parts[0]))
        else { return nil }
        return ManagedObjectID(source: source, key: key)
    }

    /// Returns the ID of the row with a primary key; nil without a store, or for an unknown entity. For the drivers of
    /// `bench`, which tell records by it.
    package func objectID(withPrimaryKey key: Int64, ofEntityNamed name: String) -> ManagedObjectID? {
        currentStore?.source(ofEntityNamed: name).map { ManagedObjectID(source: $0, key: key) }
    }

    /// The UUID at the start of the store's URIs; nil without a store.
    public var storeIdentifier: UUID? { currentStore?.identifier }

    /// The application's own entries, stored with the objects. The next save of any context writes changes to them.
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

    /// Exact counts of the store's work since it was opened or `resetStatistics()` was called.
    public var statistics: StoreStatistics { currentStore?.statistics ?? StoreStatistics() }

    /// Sets the statistics to zero.
    public func resetStatistics() { currentStore?.resetStatistics() }

    /// Writes the write-ahead log back into the database file and truncates it.
    ///
    /// - Throws: `StoreError` with `busy` while another connection reads the file; with `storeFailure` if the disk has
    ///   failed to take what was written back before: then the log is kept.
    public func checkpoint() throws(StoreError) { try requireStore().checkpoint() }
}

extension StoreError {
    static var exchanged: StoreError {
        StoreError(
            .noStore,
            "the context has objects of a store that the coordinator no longer has, and nothing was read or saved: reset() the "
                + "context, or make a new one, to use the coordinator's present store")
    }
}

extension PersistentStore {
    fileprivate func source(ofEntityNamed name: String) -> ObjectIDSource? {
        sources.first { $0.entity.name == name }
    }
}
