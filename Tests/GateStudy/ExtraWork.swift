import CSQLite
import Foundation
import Locking
import ManagedStore

/// Work that slows a side. One phase at a time uses it.
protocol ExtraWork: AnyObject, Sendable {
    /// A phase begins.
    func begin()
    /// Takes some microseconds of CPU time, so that many steps come close to any share of a phase.
    func step()
    /// The phase is over: nothing may work on.
    func end()
}

extension ExtraWork {
    func begin() {}
    func step() {}
    func end() {}
}

extension Slowdown.Cause {
    private static let prepared = Locked<[Self: any ExtraWork]>([:])

    /// The work of this process, prepared once: what a session that opens allocates and frees would change the
    /// measured work after it, by pages of memory that are in the cache by then.
    func work() throws -> any ExtraWork {
        try Self.prepared.withLock { prepared in
            if let work = prepared[self] { return work }
            let work = try makeWork()
            prepared[self] = work
            return work
        }
    }

    private func makeWork() throws -> any ExtraWork {
        switch self {
        case .spinning: Spinning()
        case .cacheMisses: CacheMisses()
        case .allocations: Allocations()
        case .lock: ContendedLock()
        case .statement: try ExtraStatement()
        case .read: try LargerRead()
        case .statementPerSave: StatementPerSave()
        }
    }
}

private final class Spinning: ExtraWork {}

private final class CacheMisses: ExtraWork, @unchecked Sendable {
    // A linear congruential generator of full period: one ring through 32 MiB that no prefetcher foresees.
    private let next: [UInt32] = {
        let count: UInt32 = 8 << 20
        return (0..<count).map { (1_664_525 &* $0 &+ 1_013_904_223) & (count - 1) }
    }()
    private var place = 0

    func step() {
        for _ in 0..<32 { place = Int(next[place]) }
    }
}

private final class Allocations: ExtraWork, @unchecked Sendable {
    private var blocks = [UnsafeMutableRawPointer?](repeating: nil, count: 32)

    func step() {
        for index in blocks.indices {
            let size = 16 << (index % 7)
            blocks[index] = malloc(size)
            blocks[index]?.storeBytes(of: UInt8(index), toByteOffset: size - 1, as: UInt8.self)
        }
        for index in blocks.indices { free(blocks[index]) }
    }
}

/// Two threads, one of which waits whenever the other has the lock: what one core makes of contention.
private final class ContendedLock: ExtraWork, @unchecked Sendable {
    // The lock guards `rounds` and `other`.
    private let condition = NSCondition()
    private var rounds = 0
    private var other: Thread?

    func step() {
        condition.lock()
        defer { condition.unlock() }
        if other == nil { startOther() }
        let before = rounds
        condition.broadcast()
        while rounds == before { condition.wait() }
    }

    func end() {
        condition.lock()
        other = nil
        condition.broadcast()
        condition.unlock()
    }

    private func startOther() {
        let thread = Thread { [self] in
            condition.lock()
            while other === Thread.current {
                rounds += 1
                condition.broadcast()
                condition.wait()
            }
            condition.unlock()
        }
        other = thread
        thread.start()
    }
}

private final class ExtraStatement: ExtraWork, @unchecked Sendable {
    private var database: OpaquePointer?
    private var statement: OpaquePointer?
    private var key: Int64 = 0

    init() throws {
        let rows = """
            CREATE TABLE row (id INTEGER PRIMARY KEY, name TEXT, value REAL);
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
            INSERT INTO row SELECT i, 'row ' || i, i / 2.0 FROM n
            """
        guard sqlite3_open(":memory:", &database) == SQLITE_OK,
            sqlite3_exec(database, rows, nil, nil, nil) == SQLITE_OK,
            sqlite3_prepare_v2(database, "SELECT name, value FROM row WHERE id = ?", -1, &statement, nil) == SQLITE_OK
        else { throw StudyError("SQLite: \(String(cString: sqlite3_errmsg(database)))") }
    }

    deinit {
        sqlite3_finalize(statement)
        sqlite3_close(database)
    }

    func step() {
        key = (key + 619) % 1_000
        sqlite3_bind_int64(statement, 1, key)
        guard sqlite3_step(statement) == SQLITE_ROW else { fatalError("a row of the study is missing") }
        _ = sqlite3_column_text(statement, 0)
        sqlite3_reset(statement)
    }
}

private final class LargerRead: ExtraWork, @unchecked Sendable {
    private let file: FileHandle
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 4_096)
    private static let blocks = 256
    private var block = 0

    init() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("gate-study-\(UUID().uuidString)")
        try Data().write(to: path)
        file = try FileHandle(forUpdating: path)
        // Block by block: once the allocator has freed one of megabytes, it treats all later ones otherwise, which
        // makes the measured work faster.
        for _ in 0..<Self.blocks { try file.write(contentsOf: Data(count: buffer.count)) }
        try FileManager.default.removeItem(at: path)
    }

    deinit { buffer.deallocate() }

    func step() {
        block = (block + 37) % Self.blocks
        let count = pread(file.fileDescriptor, buffer.baseAddress, buffer.count, off_t(block * buffer.count))
        guard count == buffer.count else { fatalError("the file of the study cannot be read") }
    }
}

private final class StatementPerSave: ExtraWork, @unchecked Sendable {
    private var observation: (any NSObjectProtocol)?

    func begin() {
        observation = NotificationCenter.default.addObserver(
            forName: ManagedObjectContext.didSaveObjectsNotification, object: nil, queue: nil
        ) { notification in
            guard let context = notification.object as? ManagedObjectContext else { return }
            var request = FetchRequest<ManagedObject>(entityName: "Item")
            request.fetchLimit = 1
            do { _ = try context.fetch(request) } catch { fatalError("the study's statement failed: \(error)") }
        }
    }

    func end() {
        observation.map(NotificationCenter.default.removeObserver)
        observation = nil
    }
}
