import BenchHarness
import ManagedStore

/// The schema of a managed session on a server. Nothing counts what the server writes.
struct ManagedSchema: ManagedPlace {
    let store: ServerStore

    var inspector: any StoreInspector { ServerInspector(store: store) }

    func addStore(to coordinator: PersistentStoreCoordinator) throws {
        try store.add(to: coordinator)
    }

    func fill(_ counters: inout StoreCounters) {}
    func resetCounters() {}
}

extension ServerStore {
    /// Opens the store for managed objects.
    package func add(to coordinator: PersistentStoreCoordinator) throws {
        try coordinator.addPersistentStore(
            .postgreSQL, at: url,
            options: PostgreSQLStoreOptions(
                busyTimeoutMilliseconds: options.busyTimeoutMilliseconds,
                responseTimeoutMilliseconds: Self.responseTimeoutMilliseconds))
    }

    /// An hour: one statement of a phase may change many millions of records.
    private static var responseTimeoutMilliseconds: Int { 3_600_000 }
}
