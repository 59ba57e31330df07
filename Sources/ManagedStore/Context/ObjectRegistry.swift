import Foundation
import Locking

/// The registered objects of one context, by root entity and key. The registry keeps none of them alive.
///
/// An object takes itself out on the thread that releases it last, so a lock guards the tables. The registry outlives
/// its context as long as the page of an object refers to it.
final class ObjectRegistry: @unchecked Sendable {
    // Unchecked: a lock guards the tables, which hold unretained references; `contextAtWork` belongs to the context's
    // queue.

    private struct State {
        /// One table per root entity, by the entity's position.
        var tables: [ObjectTable]
        /// Objects that died after the context read their to-many relationships.
        var orphans: [ObjectReference] = []
        /// The context until it dies, unretained. A weak reference would make the runtime move the context's reference
        /// count to a side table, and so slow down each of the several retains per object.
        var unretainedContext: Unmanaged<ManagedObjectContext>?
    }

    private let state: Locked<State>
    /// The context while one of its blocks runs and retains it. For the context's queue only.
    @exclusivity(unchecked) private var contextAtWork: Unmanaged<ManagedObjectContext>?
    /// Whether every use of an object checks that it happens on the right queue.
    let isWatched = ManagedObjectContext.isConcurrencyDebuggingEnabled

    init(entityCount: Int) {
        state = Locked(State(tables: (0..<entityCount).map { _ in ObjectTable() }))
    }

    deinit {
        state.withLock { for table in $0.tables { table.deallocate() } }
    }

    /// The context; nil once its deinitialization has begun.
    var context: ManagedObjectContext? { state.withLock { $0.unretainedContext?.retainedIfAlive() } }

    /// Calls `body` with the context, on the context's queue; returns nil if the context is gone. Within the context's
    /// blocks this takes neither the lock nor a reference.
    @inline(__always) func withContext<Result>(_ body: (ManagedObjectContext) -> Result) -> Result? {
        if let contextAtWork { return contextAtWork._withUnsafeGuaranteedRef(body) }
        return context.map(body)
    }

    /// Whether one of the context's blocks runs. For the context's queue only.
    @inline(__always) var isContextAtWork: Bool { contextAtWork != nil }

    /// Runs a block of the context on its queue.
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

    /// Removes the context. The context calls this when it dies.
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

    /// Returns the objects that died since the last call.
    func takeOrphans() -> [ObjectReference] {
        state.withLock { state in
            defer { state.orphans.removeAll() }
            return state.orphans
        }
    }

    /// Calls `body` with the table of one entity, and takes the lock once for many operations.
    ///
    /// `body` must not release the last reference to an object: the object's removal would wait for the lock.
    func withTable<Result>(_ root: Int, _ body: (inout ObjectTable) throws -> Result) rethrows -> Result {
        try state.withLock { try body(&$0.tables[root]) }
    }

    /// Calls `body` with all tables, as ``withTable(_:_:)`` does with one.
    func withTables<Result>(_ body: (inout [ObjectTable]) throws -> Result) rethrows -> Result {
        try state.withLock { try body(&$0.tables) }
    }

    /// The number of objects.
    var count: Int { state.withLock { $0.tables.reduce(0) { $0 + $1.count } } }

    func objects() -> [ManagedObject] {
        state.withLock { $0.tables.flatMap { $0.objects() } }
    }

    func _checkInvariants() {
        state.withLock { for table in $0.tables { table._checkInvariants() } }
    }
}
