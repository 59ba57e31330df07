import ManagedStore

/// Where a store of related records is kept: a file, or a server.
protocol RelatedPlace: Sendable {
    /// Opens the store.
    func addStore(to coordinator: PersistentStoreCoordinator) throws
    /// Returns the errors in the store, found without ManagedStore; empty if there are none.
    func problems() throws -> [String]
}
