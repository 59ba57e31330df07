import BenchHarness
import CCountingVFS
import Foundation

/// Counts the syncs of a store's files and the bytes written to them, exactly: below SQLite, in its file system, where
/// no setting of a connection hides them.
///
/// Create it before the files are opened.
struct FileCounter {
    /// The name of the file system that counts; nil, which is the system's, if it cannot be registered.
    static let fileSystem = counting_vfs_name().map { String(cString: $0) }

    /// Nil if nothing counts.
    private let files: OpaquePointer?
    private var before = file_counts()

    init(in directory: URL) {
        files = Self.fileSystem == nil ? nil : counting_vfs_count(directory.path)
        reset()
    }

    /// Sets the counts to zero.
    mutating func reset() {
        _ = LibraryMemory.peakBytes(reset: true)
        if let files { before = counted_files_now(files) }
    }

    /// Adds the counts since the last reset to the counters of a session, and the most memory that SQLite took.
    func fill(_ counters: inout StoreCounters) {
        counters.storeMemoryPeakBytes = LibraryMemory.peakBytes(reset: false)
        guard let files else { return }
        let now = counted_files_now(files)
        counters.syncs = Int(now.syncs - before.syncs)
        counters.logBytesWritten = Int(now.log_bytes - before.log_bytes)
        counters.databaseBytesWritten = Int(now.database_bytes - before.database_bytes)
    }
}
