import Foundation
import Processes
import TestSupport
import Testing

@testable import ManagedStore

/// Another process holds the write lock. A process, because SQLite's locks within one are another matter.
@Suite struct ForeignLockTests {
    /// A process of Python's that holds the lock of a file as SQLite takes it for writing in WAL: byte 120 of the
    /// log's index.
    private final class Holder {
        private let process = Process()
        private let input = Pipe()

        /// Returns once the lock is held.
        init(_ store: URL) throws {
            let script = """
                import fcntl, sys
                file = open(sys.argv[1], "r+b")
                fcntl.lockf(file, fcntl.LOCK_EX, 1, 120)
                print("held", flush=True)
                sys.stdin.read()
                """
            let output = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/python3")
            process.arguments = ["-c", script, store.path + "-shm"]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            _ = output.fileHandleForReading.availableData
        }

        func release() {
            try? input.fileHandleForWriting.close()
            process.awaitEnd()
        }
    }

    private static var hasPython: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") }

    @Test(.enabled(if: hasPython)) func waitingIsBoundedAndTheChangesStay() throws {
        let store = try TestStore(options: SQLiteStoreOptions(synchronous: .off, busyTimeoutMilliseconds: 50))
        let (context, items) = try store.contextWithItems(2)
        let holder = try Holder(store.url)
        items[0].name = "changed"
        context.delete(items[1])
        for _ in 0..<3 {
            let error = expectError(.busy) { try context.save() }
            #expect(error?.message.contains("lock") == true)
        }
        expectError(.busy) { try context.execute(BatchUpdateRequest(Item.self, set: ["done": true])) }
        #expect(context.updatedObjects.count == 1 && context.deletedObjects.count == 1)
        #expect(try store.context().items().map(\.name) == ["Item 0", "Item 1"])
        holder.release()
        try context.save()
        #expect(try store.context().items().map(\.name) == ["changed"])
    }

    @Test(.enabled(if: hasPython)) func aSaveThatIsPatientEnoughSucceeds() async throws {
        let store = try TestStore(options: SQLiteStoreOptions(synchronous: .off, busyTimeoutMilliseconds: 60_000))
        let (context, items) = try store.contextWithItems(1)
        let holder = try Holder(store.url)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { [holder = UncheckedBox(holder)] in
            holder.value.release()
        }
        items[0].name = "changed"
        try context.save()
        #expect(try store.context().items().map(\.name) == ["changed"])
    }

    /// The holder goes to one other thread and is not used here any more.
    private struct UncheckedBox: @unchecked Sendable {
        let value: Holder
        init(_ value: Holder) { self.value = value }
    }
}
