import CSQLite

/// What SQLite has allocated in this process, over all connections.
enum LibraryMemory {
    /// The highest number of bytes allocated at one time since the last reset; nil when SQLite was built not to count.
    static func peakBytes(reset: Bool) -> Int? {
        var current: Int64 = 0
        var highest: Int64 = 0
        let result = sqlite3_status64(SQLITE_STATUS_MEMORY_USED, &current, &highest, reset ? 1 : 0)
        return result == SQLITE_OK && highest > 0 ? Int(highest) : nil
    }
}
