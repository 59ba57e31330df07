import BenchHarness
import ManagedStore

/// Where a managed session keeps its store: a file, or a server.
protocol ManagedPlace {
    /// Reads the store with code that shares nothing with ManagedStore.
    var inspector: any StoreInspector { get }
    /// Opens the store.
    func addStore(to coordinator: PersistentStoreCoordinator) throws
    /// Adds what is counted outside the store.
    func fill(_ counters: inout StoreCounters)
    /// Sets those counts to zero.
    mutating func resetCounters()
}
