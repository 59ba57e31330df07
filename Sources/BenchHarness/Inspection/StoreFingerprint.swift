import Foundation

/// The sizes and times of a store's files, which show cheaply that its content may have changed.
///
/// It opens no file: the process holds locks on the files of its SQLite stores, and closing a file that it opened
/// besides would release them. Empty files do not count, because opening a store may create an empty log. Neither does
/// the index of a log (`-shm`), which readers write too.
struct StoreFingerprint: Sendable, Equatable {
    private struct File: Sendable, Equatable {
        let number: UInt64
        let bytes: UInt64
        let modified: Date
    }

    private var files: [String: File] = [:]

    /// Looks at the files in `directory` and below.
    ///
    /// - Parameter includingLogs: Whether write-ahead logs count.
    init(of directory: URL, includingLogs: Bool = true) {
        let manager = FileManager.default
        guard let paths = manager.enumerator(atPath: directory.path) else { return }
        for case let path as String in paths where !path.hasSuffix("-shm") {
            if path.hasSuffix("-wal"), !includingLogs { continue }
            let attributes = try? manager.attributesOfItem(atPath: directory.appendingPathComponent(path).path)
            guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular,
                let bytes = (attributes[.size] as? NSNumber)?.uint64Value, bytes > 0,
                let number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value,
                let modified = attributes[.modificationDate] as? Date
            else { continue }
            files[path] = File(number: number, bytes: bytes, modified: modified)
        }
    }
}

extension PhaseSetting {
    /// Returns what is wrong with a store whose content changed before the clock started, or is about to change; empty
    /// if it did not.
    ///
    /// Only if the files have changed, the store is inspected: a store may rewrite files when it is opened, as long as
    /// they hold the same records. A store on a server is always inspected.
    func earlyChanges(_ session: any StoreSession, _ expected: inout ExpectedStore) throws -> [String] {
        guard let untouched else { return [] }
        if try witness.inspector?.isBeingWritten() == true {
            return ["a transaction that changes the store was open before the clock started"]
        }
        if witness.driver.server == nil, StoreFingerprint(of: directory) == untouched { return [] }
        let found = try witness.inspect(session)
        let problems = expected.problems(found).map { "the store changed before the clock started: \($0)" }
        // The phase before may have been about another entity, and its inspection told nothing of these versions.
        if problems.isEmpty, let versions = found.versions { expected.settle(versions) }
        return problems
    }
}
