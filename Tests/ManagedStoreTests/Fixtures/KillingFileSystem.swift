import CSQLite
import Foundation

/// Ends this process in the middle of one of SQLite's writes to files, as a signal would. The log's
/// index is memory that processes share, and is not written this way.
enum KillingFileSystem {
    /// Counted down by each write. Set before SQLite is used, by a process that does nothing else.
    nonisolated(unsafe) private static var left = Int.max
    nonisolated(unsafe) private(set) static var writes = 0

    /// From now on the write at `moment`, counted from 1, ends the process: half of it is done then.
    static func install(at moment: Int) {
        left = moment
        guard let system = sqlite3_vfs_find(nil), let set = system.pointee.xSetSystemCall else { return }
        let write: @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int = { file, bytes, count, offset in
            KillingFileSystem.write(file, bytes, count, offset)
        }
        for name in ["pwrite", "pwrite64"] {
            _ = set(system, name, unsafeBitCast(write, to: sqlite3_syscall_ptr.self))
        }
    }

    private static func write(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ offset: off_t) -> Int {
        left -= 1
        writes += 1
        guard left == 0 else { return pwrite(file, bytes, count, offset) }
        _ = pwrite(file, bytes, count / 2, offset)
        kill(getpid(), SIGKILL)
        return -1
    }
}
