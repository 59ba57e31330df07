import CSQLite
import Foundation

/// Inspects a file before it is opened for writing. A file that does not fit stays unchanged, as do the log, the log's
/// index and the journal beside it.
struct StoreFile {
    /// The file that the given path leads to through symbolic links. SQLite keeps its log beside this file.
    let path: String
    private let options: SQLiteStoreOptions

    /// - Throws: `StoreError` with `storeFailure` if no file can exist there.
    init(_ path: String, _ options: SQLiteStoreOptions) throws(StoreError) {
        self.options = options
        guard let resolved = realpath(path, nil) else {
            guard errno == ENOENT else {
                throw StoreError(.storeFailure, "\(path) cannot be reached: \(String(cString: strerror(errno)))")
            }
            self.path = path
            return
        }
        defer { free(resolved) }
        self.path = String(cString: resolved)
    }

    /// Whether the file is missing or empty.
    ///
    /// - Throws: `StoreError` if the path is not a file's, or the file cannot be written.
    func isNew() throws(StoreError) -> Bool {
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG {
            throw StoreError(.incompatibleStore, "\(path) is a folder or a device, not a store file; use a file's path")
        }
        try checkIsWritable(exists)
        if exists, status.st_size > 0 { return false }
        if hasLog {
            throw StoreError(
                .incompatibleStore,
                "\(path) is \(exists ? "empty" : "missing"), but its write-ahead log \(path)-wal is not: put the file back that the log "
                    + "belongs to, or remove the log")
        }
        return true
    }

    /// Whether there is a write-ahead log, of a process that has the file open or did not close it.
    var hasLog: Bool { size("-wal") ?? 0 > 0 }

    private func checkIsWritable(_ exists: Bool) throws(StoreError) {
        let parent = (path as NSString).deletingLastPathComponent
        let folder = parent.isEmpty ? "." : parent
        guard FileManager.default.fileExists(atPath: folder) else {
            throw StoreError(.storeFailure, "\(path) cannot be created: the folder \(folder) does not exist; create it")
        }
        if exists, access(path, R_OK | W_OK) != 0 {
            throw StoreError(
                .storeFailure,
                "\(path) cannot be read and written: \(String(cString: strerror(errno))); check its permissions")
        }
        if access(folder, W_OK | X_OK) != 0 {
            throw StoreError(
                .storeFailure,
                "\(path): SQLite keeps its log in the folder \(folder), which cannot be written: "
                    + "\(String(cString: strerror(errno)))"
            )
        }
    }

    private static let looks = 20

    /// Inspects an existing file without changing it. Returns its schema; nil for one that is as good as new.
    ///
    /// - Throws: `StoreError` with `incompatibleStore` for a file that is not a store or does not fit the model.
    func checkFits(_ model: ManagedObjectModel) throws(StoreError) -> FileSchema? {
        let header = try FileHeader.bytes(100, of: path, options)
        if isHalfMade(header) { return nil }
        try check(header)
        for _ in 1..<Self.looks {
            let before = beside
            do throws(StoreError) {
                return try look(model, before)
            } catch {
                // A process opened or closed the file meanwhile, and changed the files beside it: check again.
                guard beside != before || error.primaryCode == SQLITE_CANTOPEN else { throw error }
            }
        }
        return try look(model, beside)
    }

    /// The files beside this one. They show whether a process has it open for writing, or did not close it properly,
    /// and whether SQLite treats a log with content as empty.
    private var beside: [String] {
        let files = ["-wal", "-shm", "-journal"].filter { size($0) != nil }
        guard size("-wal") ?? 0 > 0, !LogHeader.isFollowed(at: path + "-wal") else { return files }
        return files + [Self.begun]
    }

    private static let begun = "no frames"

    private func look(_ model: ManagedObjectModel, _ beside: [String]) throws(StoreError) -> FileSchema? {
        // The log is checked after the journal, whose removal a power cut may have undone.
        if size("-journal") ?? 0 > 0 { return try checkBesideJournal(model) }
        guard beside.contains("-wal") else {
            if beside.contains("-journal") { return try checkBesideJournal(model) }
            return try check(path, model, .immutable)
        }
        if beside.contains(Self.begun) {
            // With the promise to keep the index, SQLite would wait for another process to improve the index.
            return try check(path, model, .immutable)
        }
        if beside.contains("-shm") { return try checkBesideIndex(model) }
        if size("-wal") == 0 { return try check(path, model, .immutable) }
        return try checkCopy(model)
    }

    /// Whether a power cut interrupted the creation of the file: its header is blank, and the journal restores an empty
    /// file.
    private func isHalfMade(_ header: [UInt8]) -> Bool {
        guard header.count >= 16, header.prefix(16).allSatisfy({ $0 == 0 }), let journal = journalHeader else {
            return false
        }
        return journal.starts(with: [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
            && journal.suffix(4).allSatisfy { $0 == 0 }
    }

    /// The first bytes of the journal, which is never locked; nil if it is shorter.
    private var journalHeader: Data? {
        guard let file = FileHandle(forReadingAtPath: path + "-journal") else { return nil }
        defer { try? file.close() }
        guard let bytes = try? file.read(upToCount: 20), bytes.count == 20 else { return nil }
        return bytes
    }

    private func check(_ header: [UInt8]) throws(StoreError) {
        guard header.starts(with: "SQLite format 3\0".utf8) else {
            throw StoreError(
                .incompatibleStore,
                "\(path) is not a SQLite file; it was left as it is; decrypt it first if it is encrypted")
        }
        if !beside.contains("-wal"), !beside.contains("-journal") { try checkLength(header) }
    }

    /// Compares the size, since SQLite reads the missing part of the last page as zeros.
    private func checkLength(_ header: [UInt8]) throws(StoreError) {
        guard header.count == 100, let size = size("") else { throw cutShort }
        let pageSize = Int(header[16]) << 8 | Int(header[17])
        if size % (pageSize == 1 ? 65_536 : max(pageSize, 512)) != 0 { throw cutShort }
    }

    private var cutShort: StoreError {
        StoreError(.incompatibleStore, "\(path) is cut short; restore it from a copy")
    }

    /// Returns the size of a file beside this one; nil if there is none.
    private func size(_ suffix: String) -> Int? {
        var status = stat()
        return stat(path + suffix, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Checks a file with a journal. Only a writer can roll the journal back; the file's content without a rollback
    /// shows whether it is a store for this code to repair.
    private func checkBesideJournal(_ model: ManagedObjectModel) throws(StoreError) -> FileSchema? {
        do throws(StoreError) {
            return try check(path, model, nil)
        } catch {
            guard error.primaryCode == SQLITE_READONLY else { throw error }
            return try check(path, model, .immutable)
        }
    }

    private func checkBesideIndex(_ model: ManagedObjectModel) throws(StoreError) -> FileSchema? {
        do throws(StoreError) {
            return try check(path, model, .keepsIndex)
        } catch {
            // The index is in use and has no place for a reader that does not write it, or the index is unreadable.
            guard [SQLITE_READONLY, SQLITE_PROTOCOL].contains(error.primaryCode) else { throw error }
            return try check(path, model, nil)
        }
    }

    /// Checks a log without its index, as in files copied from elsewhere: SQLite would create the index.
    private func checkCopy(_ model: ManagedObjectModel) throws(StoreError) -> FileSchema? {
        let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
        let copy = folder.appending(path: "copy").path(percentEncoded: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            try FileManager.default.copyItem(atPath: path + "-wal", toPath: copy + "-wal")
        } catch {
            throw StoreError(
                .storeFailure,
                "\(path) cannot be copied for inspection: \(error); check the space in the temporary folder")
        }
        return try check(copy, model, nil)
    }

    private func check(
        _ path: String, _ model: ManagedObjectModel, _ promise: Connection.Promise?
    ) throws(StoreError) -> FileSchema? {
        do throws(StoreError) {
            let reader = try Connection(
                path: path, flags: SQLITE_OPEN_READONLY, options: options, promise: promise)
            if try Schema.isEmpty(reader) { return nil }
            let sources = ObjectIDSource.all(model, try Schema.identifier(reader))
            let fit = try SchemaFit(reader, sources, model, path: self.path)
            try fit.check(path, migrates: options.migratesAutomatically)
            return fit.file
        } catch {
            throw path == self.path ? error : error.about(self.path, insteadOf: path)
        }
    }
}

extension StoreError {
    /// SQLite's primary result code.
    fileprivate var primaryCode: Int32? { sqliteCode.map { $0 & 0xff } }

    /// Returns the same error with another file's name.
    fileprivate func about(_ path: String, insteadOf copy: String) -> StoreError {
        StoreError(code, message.replacing(copy, with: path), sql: sql, storeCode: storeCode)
    }
}
