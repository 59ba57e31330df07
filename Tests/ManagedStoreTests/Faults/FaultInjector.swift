import CFaultVFS
import CSQLite
import Foundation
import TestSupport

@testable import ManagedStore

/// Something under the store that fails at a given moment.
protocol FaultInjector {
    /// The options of a store that it can fail under.
    func options(_ options: SQLiteStoreOptions) -> SQLiteStoreOptions
    /// Lets the operation at `moment`, counted from 1, fail.
    func arm(_ moment: Int)
    /// Nothing fails from now on.
    func lift()
    /// Whether something failed since it was armed.
    var wasReached: Bool { get }
}

/// A file system of one test's own, over the system's.
final class FaultyFileSystem: FaultInjector {
    private let fault: StorageFault
    private let name: String
    private let handle: OpaquePointer

    init(_ fault: StorageFault) {
        self.fault = fault
        name = "faulty-\(UUID().uuidString)"
        handle = fault_vfs_create(name)
    }

    deinit {
        fault_vfs_destroy(handle)
    }

    func options(_ options: SQLiteStoreOptions) -> SQLiteStoreOptions {
        var options = options
        options.fileSystem = name
        options.synchronous = fault == .powerCutWhenNormal ? .normal : .full
        return options
    }

    /// A context of the calling thread on a new store with an item that is not saved.
    func contextWithItem(in directory: TemporaryDirectory) throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: try ManagedObjectModel(Item.self))
        try coordinator.addPersistentStore(
            .sqlite, at: directory.file("store.sqlite"), options: options(SQLiteStoreOptions()))
        let context = ManagedObjectContext(coordinator: coordinator)
        Item("new", in: context)
        return context
    }

    func arm(_ moment: Int) {
        fault_vfs_arm(handle, fault.kind, UInt32(fault.operations), moment, fault.lasts)
    }

    /// Lets every write fail.
    func armWrites() { fault_vfs_arm(handle, fault.kind, UInt32(FAULT_WRITE), 1, true) }

    /// Lets every opening of a file fail.
    func armOpening() { fault_vfs_arm(handle, fault.kind, UInt32(FAULT_OPEN), 1, true) }

    /// Lets the next sync wait until it is lifted.
    func armWaitingSync() { fault_vfs_arm(handle, FAULT_WAIT, UInt32(FAULT_SYNC), 1, false) }

    func lift() { fault_vfs_disarm(handle) }
    func forgetPlaces() { fault_vfs_forget_places(handle) }
    var wasReached: Bool { fault_vfs_was_reached(handle) }

    /// Leaves the files, all of which must be closed, as a power cut may: without anything that was not synced (seed
    /// 0), or with some of it.
    func loseUnsynced(seed: UInt64) { fault_vfs_lose_unsynced(handle, seed) }
}

/// SQLite's memory in a process of its own.
struct RefusedMemory: FaultInjector {
    let lasts: Bool

    func options(_ options: SQLiteStoreOptions) -> SQLiteStoreOptions { options }
    func arm(_ moment: Int) { fault_memory_arm(moment, lasts) }
    func lift() { fault_memory_lift() }
    var wasReached: Bool { fault_memory_was_reached() }
}

/// SQLite's own limit of its memory, in a process of its own: a little more than what is in use, and more from moment
/// to moment.
final class HeapLimit: FaultInjector {
    private static let step: Int64 = 4 << 10
    private var lifts = 0

    func options(_ options: SQLiteStoreOptions) -> SQLiteStoreOptions { options }

    func arm(_ moment: Int) {
        lifts = 0
        sqlite3_hard_heap_limit64(sqlite3_memory_used() + Int64(moment) * Self.step)
    }

    func lift() {
        lifts += 1
        sqlite3_hard_heap_limit64(0)
    }

    /// It is lifted at the end of a life, and before that after an error.
    var wasReached: Bool { lifts > 1 }
}
