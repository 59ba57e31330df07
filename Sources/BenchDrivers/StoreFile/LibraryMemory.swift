import CSQLite

/// The memory that SQLite has allocated in this process, for all connections.
enum LibraryMemory {
    /// Returns the peak of allocated bytes since the last reset; nil if SQLite was built without this counter.
    static func peakBytes(reset: Bool) -> Int? {
        var current: Int64 = 0
        var highest: Int64 = 0
        let result = sqlite3_status64(SQLITE_STATUS_MEMORY_USED, &current, &highest, reset ? 1 : 0)
        return result == SQLITE_OK && highest > 0 ? Int(highest) : nil
    }
}
