import BenchHarness
import GRDB
import GRDBSQLite

/// What SQLite counts on request, without slowing GRDB down.
///
/// Statements and their steps are not known: GRDB prepares and finalizes statements of its own, and tracing them costs
/// time.
enum LibraryCounts {
    /// Pages that a connection's cache has written since the last reset.
    static func pagesWritten(_ db: Database, reset: Bool) -> Int {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, reset ? 1 : 0)
        return Int(current)
    }

    /// The highest number of bytes allocated at one time since the last reset, over all connections of the process; nil
    /// when SQLite was built not to count.
    static func memoryPeakBytes(reset: Bool) -> Int? {
        var current: Int64 = 0
        var highest: Int64 = 0
        let result = sqlite3_status64(SQLITE_STATUS_MEMORY_USED, &current, &highest, reset ? 1 : 0)
        return result == SQLITE_OK && highest > 0 ? Int(highest) : nil
    }
}
