import Foundation

/// The settings with which SQLite sorts, equal in all drivers whose orders SQLite makes. A driver of your own on SQLite
/// can use them too.
///
/// The sorter collects rows in as much memory as the page cache may take (`cache_size`), at least a megabyte
/// (`SQLITE_CONFIG_PMASZ`), then sorts them and writes them to a temporary file. At the end, it merges the runs.
public enum SQLiteSorting {
    /// `PRAGMA threads`: the number of threads that may help to sort, one for each processor. SQLite's own default is
    /// none; it uses eight at most.
    public static let threads = ProcessInfo.processInfo.activeProcessorCount
    /// `PRAGMA temp_store`: runs go to a file, as is the default. In memory, the sorter makes one run of everything:
    /// for a million rows, that takes 1.6 times the CPU time.
    public static let temporaryStore = "FILE"

    /// The settings, for a manifest.
    static var properties: [String: String] { ["temp_store": temporaryStore, "threads": String(threads)] }
}
