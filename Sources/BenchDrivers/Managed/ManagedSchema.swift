import BenchHarness
import ManagedStore

/// The schema of a managed session on a server. Nothing counts what the server writes.
struct ManagedSchema: ManagedPlace {
    let store: ServerStore

    var inspector: any StoreInspector { ServerInspector(store: store) }

    func addStore(to coordinator: PersistentStoreCoordinator) throws {
        try coordinator.addPersistentStore(
            .postgreSQL, at: store.url,
            options: PostgreSQLStoreOptions(busyTimeoutMilliseconds: store.options.busyTimeoutMilliseconds))
    }

    func fill(_ counters: inout StoreCounters) {}
    func resetCounters() {}
}
