import Foundation
import Locking

/// The objects registered with one context, by the entity at the root of the hierarchy and key, none of them kept alive
/// by it.
///
/// Objects die on whichever thread drops them last and take themselves out here, hence the lock. The registry outlives
/// its context as long as an object's page refers to it.
final class ObjectRegistry: @unchecked Sendable {
    // Unchecked: the tables do not keep their objects, and `contextAtWork` belongs to the context's queue.

    private struct State {
        /// By the position of the entity at the root.
        var tables: [ObjectTable]
        /// Objects that died after their to-many relationships were read.
        var orphans: [ObjectReference] = []
        /// The context until it dies, not kept alive. A weak reference would have the runtime keep its count in a place
        /// of its own, and make each retain of the context slower, of which there are some for each object.
        var unretainedContext: Unmanaged<ManagedObjectContext>?
    }

    private let state: Locked<State>
    /// The context while a block of its own runs, which keeps it. On the context's queue alone.
    @exclusivity(unchecked) private var contextAtWork: Unmanaged<ManagedObjectContext>?
    /// Whether every use of an object is to be checked for the right queue.
    let isWatched = ManagedObjectContext.isConcurrencyDebuggingEnabled

    init(entityCount: Int) {
        state = Locked(State(tables: (0..<entityCount).map { _ in ObjectTable() }))
    }

    deinit {
        state.withLock { for table in $0.tables { table.deallocate() } }
    }

    /// The context; nil when its death has begun.
    var context: ManagedObjectContext? { state.withLock { $0.unretainedContext?.retainedIfAlive() } }

    /// Calls `body` with the context, on whose queue it must be called; nil when there is none any more. Within the
    /// context's blocks this takes neither the lock nor a reference.
    @inline(__always) func withContext<Result>(_ body: (ManagedObjectContext) -> Result) -> Result? {
        if let contextAtWork { return contextAtWork._withUnsafeGuaranteedRef(body) }
        return context.map(body)
    }

    /// Runs a block of the context's, on its queue.
    func withContextAtWork<Result>(
        _ context: ManagedObjectContext, _ block: () throws -> Result
    ) rethrows -> Result {
        let before = contextAtWork
        contextAtWork = Unmanaged.passUnretained(context)
        defer { contextAtWork = before }
        return try block()
    }

    func attach(_ context: ManagedObjectContext) {
        state.withLock { $0.unretainedContext = Unmanaged.passUnretained(context) }
    }

    /// To be called by the context when it dies.
    func detach() {
        state.withLock { $0.unretainedContext = nil }
    }

    func object(_ root: Int, _ key: Int64) -> ManagedObject? {
        state.withLock { $0.tables[root].object(key) }
    }

    func insert(_ object: ManagedObject, _ root: Int) {
        state.withLock { $0.tables[root].insert(object) }
    }

    func remove(_ object: ManagedObject, _ root: Int) {
        state.withLock { $0.tables[root].remove(object) }
    }

    func noteOrphan(_ reference: ObjectReference) {
        state.withLock { $0.orphans.append(reference) }
    }

    /// The objects that died since the last call.
    func takeOrphans() -> [ObjectReference] {
        state.withLock { state in
            defer { state.orphans.removeAll() }
            return state.orphans
        }
    }

    /// Runs `body` on the table of one entity with the lock held once for many calls.
    ///
    /// `body` must not drop the last reference to an object: it would wait for the lock that it holds.
    func withTable<Result>(_ root: Int, _ body: (inout ObjectTable) throws -> Result) rethrows -> Result {
        try state.withLock { try body(&$0.tables[root]) }
    }

    /// As ``withTable(_:_:)``, for all tables.
    func withTables<Result>(_ body: (inout [ObjectTable]) throws -> Result) rethrows -> Result {
        try state.withLock { try body(&$0.tables) }
    }

    func objects() -> [ManagedObject] {
        state.withLock { $0.tables.flatMap { $0.objects() } }
    }

    func _checkInvariants() {
        state.withLock { for table in $0.tables { table._checkInvariants() } }
    }
}
