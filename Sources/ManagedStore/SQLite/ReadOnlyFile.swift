import CSQLite
import Foundation

/// Opens a file for reading without changing it or anything beside it: no log or index is created or removed, and the
/// journal mode stays the same.
///
/// SQLite offers four ways. The right one depends on the files beside the store, so each read determines it anew.
struct ReadOnlyFile: Sendable {
    /// The way in which the file is read.
    enum Access: Sendable {
        /// In rollback-journal mode: with locks, like any reader.
        case locked
        /// Without a log, or with an empty one: SQLite relies on the promise that the file is not written. A check
        /// afterwards shows whether this was true.
        case immutable
        /// With a log and its index: a process has the file open, or did not close it properly.
        case sharedIndex
        /// With a log but without its index: SQLite makes an index in memory, without locks.
        case ownIndex
    }

    /// The attributes that change when a file is written. The time of its last change of owner is not among them:
    /// SQLite, run by root, sets the log's again.
    fileprivate struct Stamp: Equatable {
        let device: UInt64, inode: UInt64, size: Int64
        let modifiedSeconds: Int, modifiedNanoseconds: Int
    }

    /// The state of the file and of those beside it.
    struct State: Equatable, Sendable {
        fileprivate let file: Stamp?
        fileprivate let log: Stamp?
        fileprivate let hasIndex: Bool
        fileprivate let journalSize: Int64

        var hasJournal: Bool { journalSize > 0 }
    }

    let path: String
    let options: SQLiteStoreOptions

    /// - Throws: `StoreError` with `storeFailure` or `incompatibleStore` if there is no file to read.
    init(_ path: String, _ options: SQLiteStoreOptions) throws(StoreError) {
        (self.path, self.options) = (path, options)
        var status = stat()
        guard stat(path, &status) == 0 else {
            let code = errno
            let remedy =
                code == ENOENT
                ? "create it first by opening it without isReadOnly" : "check the path and the rights to its folders"
            throw StoreError(
                .storeFailure, "\(path) cannot be opened read-only: \(String(cString: strerror(code))); \(remedy)")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(.incompatibleStore, "\(path) is a folder or a device, not a store file; use a file's path")
        }
    }

    var state: State {
        let journal = Self.stamp(path + "-journal")
        return State(
            file: Self.stamp(path), log: Self.stamp(path + "-wal"), hasIndex: Self.stamp(path + "-shm") != nil,
            journalSize: journal?.size ?? 0)
    }

    private static func stamp(_ path: String) -> Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Stamp(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
            modifiedSeconds: status.st_mtim.tv_sec, modifiedNanoseconds: status.st_mtim.tv_nsec)
    }

    /// - Throws: `StoreError` with `storeFailure` for a file that needs recovery first.
    func access(_ state: State) throws(StoreError) -> Access {
        let hasFrames = (state.log?.size ?? 0) > 0 && LogHeader.isFollowed(at: path + "-wal")
        if state.journalSize > 0 {
            if !hasFrames, try !isInLogMode() { return .locked }
            throw wantsRollback
        }
        if hasFrames { return state.hasIndex ? .sharedIndex : .ownIndex }
        if state.log != nil || state.hasIndex { return .immutable }
        return try isInLogMode() ? .immutable : .locked
    }

    /// Whether the file's header states that changes go to a write-ahead log.
    private func isInLogMode() throws(StoreError) -> Bool {
        let header = try FileHeader.bytes(20, of: path, options)
        return header.count == 20 && header[19] == 2
    }

    /// Opens a connection that reads the file in `state`.
    func connection(_ state: State) throws(StoreError) -> (Connection, Access) {
        let access = try access(state)
        let promise: Connection.Promise? =
            switch access {
            case .locked: nil
            case .immutable: .immutable
            case .sharedIndex: .keepsIndex
            case .ownIndex: .ownsIndex
            }
        let connection = try Connection(path: path, flags: SQLITE_OPEN_READONLY, options: options, promise: promise)
        // SQLite then keeps the index in memory.
        if access == .ownIndex { try connection.execute("PRAGMA locking_mode=EXCLUSIVE") }
        try connection.execute(
            "PRAGMA cache_size=-\(options.cacheSizeKiB); PRAGMA mmap_size=\(options.mmapSizeBytes)")
        return (connection, access)
    }

    /// Whether a connection opened in `earlier` reads the current content of the file.
    func isCurrent(_ access: Access, openedIn earlier: State, _ now: State) -> Bool {
        switch access {
        case .immutable, .ownIndex: earlier == now
        case .locked: now.log == nil && !now.hasIndex && earlier.file?.inode == now.file?.inode
        case .sharedIndex: now.log != nil && now.hasIndex && earlier.file?.inode == now.file?.inode
        }
    }

    /// Whether a read since `earlier` may mix two states of the file.
    func mayBeTorn(_ access: Access, since earlier: State) -> Bool {
        switch access {
        case .locked, .sharedIndex: return false
        case .immutable: return state.file != earlier.file
        case .ownIndex:
            let now = state
            return now.file != earlier.file || now.log != earlier.log
        }
    }

    var torn: StoreError {
        StoreError(.busy, "\(path) was written by another process while it was read; try again")
    }

    var wantsRollback: StoreError {
        StoreError(
            .storeFailure,
            "\(path) was not closed properly: its journal has to be rolled back, which a read-only store does not do; open it for "
                + "writing once")
    }

    var refusal: StoreError {
        StoreError(
            .invalidRequest, "\(path) was opened read-only and cannot be saved to; open it without isReadOnly")
    }
}
