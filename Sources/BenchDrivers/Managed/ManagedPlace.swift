import BenchHarness
import ManagedStore

/// Where a managed session keeps its store: a file, or a server.
protocol ManagedPlace {
    /// Reads the store with code that shares nothing with ManagedStore.
    var inspector: any StoreInspector { get }
    /// Returns the entities that inherit from some of a scenario's in the store; none if the scenario made it.
    func subentities(of entities: [EntityDescription]) throws -> [EntityDescription]
    /// Opens the store.
    func addStore(to coordinator: PersistentStoreCoordinator) throws
    /// Adds what is counted outside the store.
    func fill(_ counters: inout StoreCounters)
    /// Sets those counts to zero.
    mutating func resetCounters()
}

extension ManagedPlace {
    func subentities(of entities: [EntityDescription]) -> [EntityDescription] { [] }
}
