import BenchHarness
import Foundation

/// Checks that a file can be written, before the work that produces its content, and writes texts.
enum OutputFile {
    /// Throws unless `file` can be created, or replaced if that is allowed.
    static func check(_ file: URL, replaces: Bool) throws(UsageError) {
        guard !isDescriptor(file) else {
            throw UsageError("\(file.path) is no file of its own; expected a file to write, in a folder for it")
        }
        let folder = file.deletingLastPathComponent()
        guard isFolder(folder) else {
            throw UsageError("cannot write \(file.path): there is no folder \(folder.path); create it first")
        }
        guard isWritable(folder) else {
            throw UsageError("cannot write \(file.path): the folder \(folder.path) is not writable; choose another")
        }
        try checkNames([file])
        guard let type = type(of: file.resolvingSymlinksInPath().path) else { return }
        if type == .typeDirectory { throw UsageError("\(file.path) is a directory; expected a file to write") }
        guard type == .typeRegular else {
            throw UsageError("\(file.path) is not a regular file; expected a file to write")
        }
        if let database = database(of: file.resolvingSymlinksInPath()) {
            let role = database == file.lastPathComponent ? "is" : "belongs to \(database),"
            throw UsageError("\(file.path) \(role) a database, which is never replaced; choose another file")
        }
        guard replaces else { throw UsageError("\(file.path) exists; --force replaces it") }
    }

    /// Refuses files whose names are too long to be written whole or not at all, which takes another name meanwhile.
    static func checkNames(_ files: [URL]) throws(UsageError) {
        for file in files {
            let most = pathconf(file.deletingLastPathComponent().path, Int32(_PC_NAME_MAX))
            let name = file.lastPathComponent
            guard most > 0, name.utf8.count + AtomicFile.longestSuffix > most else { continue }
            throw UsageError(
                "\(name.prefix(20))... is too long for a name: with what results add to it, a name may have \(most) "
                    + "bytes; choose a shorter one")
        }
    }

    /// Whether a path stands for what a process has open, as `/dev/stdout` does: nothing can lie beside it.
    private static func isDescriptor(_ file: URL) -> Bool {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: file.path)
        return [file.path, link ?? ""].contains { path in
            path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/") && path.contains("/fd/")
        }
    }

    /// Returns the name of the database that a file is, or belongs to as its log; nil if it is something else. The data
    /// in it cannot be made again, and no result is worth it.
    private static func database(of file: URL) -> String? {
        let suffixes = ["", "-wal", "-journal", "-shm"].filter(file.path.hasSuffix)
        return suffixes.lazy.map { String(file.path.dropLast($0.count)) }.first(where: isDatabase)
            .map { URL(fileURLWithPath: $0).lastPathComponent }
    }

    private static func isDatabase(_ path: String) -> Bool {
        // To read a pipe is to wait for a writer.
        guard type(of: path) == .typeRegular else { return false }
        let head = "SQLite format 3\0"
        let file = FileHandle(forReadingAtPath: path)
        defer { try? file?.close() }
        return (try? file?.read(upToCount: head.utf8.count)) == Data(head.utf8)
    }

    private static func type(of path: String) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    }

    /// Writes a text, the whole of it or nothing.
    static func write(_ text: String, to file: URL, createsFolder: Bool = false) throws(UsageError) {
        do {
            if createsFolder {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            }
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            throw UsageError("cannot write \(file.relativePath): \(error.localizedDescription)")
        }
    }

    static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Tries to create a file. A check of permissions is not enough: root has them on `/proc` too, where no file can be
    /// created.
    static func isWritable(_ url: URL) -> Bool {
        let probe = url.appendingPathComponent(".bench-\(getpid())-\(UUID().uuidString.prefix(4))")
        guard mkdir(probe.path, 0o700) == 0 else { return false }
        rmdir(probe.path)
        return true
    }
}
