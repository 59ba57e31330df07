import Foundation

/// Detects writes to a list's file by other processes.
///
/// A save appends to the write-ahead log beside the file, or restarts the log, so the size or the time of one of the
/// two files changes. Checking these several times a second costs almost nothing, while reading the list that often
/// would cost too much.
struct FileChanges {
    private struct Stamp: Equatable {
        let size: Int?
        let modified: Date?

        init(_ path: String) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            size = (attributes?[.size] as? NSNumber)?.intValue
            modified = attributes?[.modificationDate] as? Date
        }
    }

    private let paths: [String]
    private var stamps: [Stamp]

    init(of file: URL) {
        let path = file.path(percentEncoded: false)
        paths = [path, path + "-wal"]
        stamps = paths.map { Stamp($0) }
    }

    /// Whether the file may have changed since the last call, or since the start.
    mutating func haveCome() -> Bool {
        let old = stamps
        stamps = paths.map { Stamp($0) }
        // The clocks of file systems tick slowly: a second write within the same tick leaves no trace. A file about as
        // young as a tick therefore counts as changed until it is older.
        let youngest = stamps.compactMap(\.modified).max() ?? .distantPast
        return stamps != old || abs(youngest.timeIntervalSinceNow) < 1
    }
}
