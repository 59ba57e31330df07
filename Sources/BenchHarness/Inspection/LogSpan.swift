import Foundation

/// Where the write-ahead logs of a store's SQLite files stand; those without a commit are left out.
struct LogPositions: Sendable {
    fileprivate var logs: [String: WriteAheadLog.Position] = [:]
    /// The files besides the logs, which a checkpoint writes.
    fileprivate let databases: StoreFingerprint

    /// Looks at the files in `directory` and below.
    init(in directory: URL) {
        databases = StoreFingerprint(of: directory, includingLogs: false)
        guard let paths = FileManager.default.enumerator(atPath: directory.path) else { return }
        for case let path as String in paths where path.hasSuffix("-wal") {
            logs[path] = WriteAheadLog(directory.appendingPathComponent(path))?.position
        }
    }

    /// Whether a log has commits that it did not have at an earlier position. A checkpoint adds none.
    fileprivate func hasCommits(since earlier: LogPositions) -> Bool {
        logs.contains { path, position in
            guard let before = earlier.logs[path], before.salts == position.salts else { return true }
            return position.frames > before.frames
        }
    }
}

/// The logs of a store before and after the clock ran.
struct LogSpan: Sendable {
    let directory: URL
    let before: LogPositions
    let after: LogPositions

    /// Returns the problem of a store with commits since the clock stopped; empty if its log shows none.
    func lateChanges() -> [String] {
        guard LogPositions(in: directory).hasCommits(since: after) else { return [] }
        return ["the store changed after the clock stopped: its log holds later commits"]
    }

    /// Returns the problem of a phase that made fewer commits than it must; empty if it made as many, or if the log
    /// cannot tell.
    ///
    /// A log that was written back starts again and forgets commits. Writing it back changes the database.
    /// - Complexity: Linear in the number of pages that the phase wrote, if at least two commits are expected.
    func missingCommits(_ least: Int) -> [String] {
        guard least > 1, before.databases == after.databases, let (path, end) = after.logs.first,
            after.logs.count == 1, let log = WriteAheadLog(directory.appendingPathComponent(path))
        else { return [] }
        let start = before.logs[path]
        guard log.salts == end.salts, start == nil || start?.salts == end.salts else { return [] }
        let first = start?.frames ?? 0
        let found = log.commits(in: first..<max(first, end.frames), limit: least)
        return found < least ? ["commits of the phase in the log: \(found); expected \(least) or more"] : []
    }
}
