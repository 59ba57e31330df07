import Foundation

/// Notices writes to a list's file by others.
///
/// A save appends to the write-ahead log beside the file, or begins it anew, so the size or the time of one of the two
/// changes. Looking at them costs next to nothing, which is why it can be done several times a second; reading the list
/// could not.
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

    /// Whether the file may have been written to since this was asked last, or since the beginning.
    mutating func haveCome() -> Bool {
        let old = stamps
        stamps = paths.map { Stamp($0) }
        // File systems' clocks tick slowly: a second write within the same tick would leave no trace. What is about as
        // young as a tick therefore counts as changed until it is older.
        let youngest = stamps.compactMap(\.modified).max() ?? .distantPast
        return stamps != old || abs(youngest.timeIntervalSinceNow) < 1
    }
}
