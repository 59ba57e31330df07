import Foundation

/// Where the shards of a load leave messages for one another. No shard listens and none leads: each looks for what it
/// needs.
protocol MeetingPlace: Sendable {
    /// The name of the place in messages.
    var name: String { get }
    /// Leaves a message, whole; returns false if there is one of that name.
    func leave(_ message: String, _ content: Data) throws -> Bool
    /// Replaces a message.
    func replace(_ message: String, _ content: Data) throws
    /// Returns a message; nil if there is none yet.
    func read(_ message: String) throws -> Data?
    /// Returns the time of the place's own clock, in nanoseconds since 1970, for the shard that asks.
    func now(for shard: Shard) throws -> Int
    /// How far a time of the place may be behind by its clock's resolution, in nanoseconds.
    var clockResolution: Int { get }
}

/// A folder that all shards see.
struct FolderMeetingPlace: MeetingPlace {
    let folder: URL

    /// - Throws: `RunError` if there is no such folder, or if nothing can be written there.
    init(_ folder: URL) throws(RunError) {
        self.folder = folder
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw RunError(.meeting, "\(folder.path): there is no such folder to meet in; create it first")
        }
        guard access(folder.path, W_OK | X_OK) == 0 else {
            throw RunError(.meeting, "\(folder.path): the folder is not writable; the shards leave messages in it")
        }
    }

    var name: String { folder.path }

    /// The kernel stamps files with the time of its last tick, at 100 Hz or more.
    let clockResolution = 10_000_000

    private func path(_ message: String) -> String { folder.appendingPathComponent(message).path }

    func leave(_ message: String, _ content: Data) throws -> Bool {
        let temporary = path(".\(message).\(UUID().uuidString)")
        defer { unlink(temporary) }
        try write(content, temporary)
        // Unlike a rename, a link does not replace.
        if link(temporary, path(message)) == 0 { return true }
        if errno == EEXIST { return false }
        throw failure(message)
    }

    func replace(_ message: String, _ content: Data) throws {
        let temporary = path(".\(message).\(UUID().uuidString)")
        try write(content, temporary)
        guard rename(temporary, path(message)) == 0 else { throw failure(message) }
    }

    private func write(_ content: Data, _ path: String) throws {
        do {
            try content.write(to: URL(fileURLWithPath: path))
        } catch {
            throw RunError(.meeting, "\(folder.path): a message cannot be written: \(error.localizedDescription)")
        }
    }

    func read(_ message: String) throws -> Data? {
        let path = path(message)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return FileManager.default.contents(atPath: path)
    }

    /// The time at which the file system stamps a file: that of the server, if the folder is on one.
    func now(for shard: Shard) throws -> Int {
        let path = path("clock-\(shard.index)")
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("clock-\(shard.index)") }
        defer { close(descriptor) }
        var facts = stat()
        guard futimens(descriptor, nil) == 0, fstat(descriptor, &facts) == 0 else {
            throw failure("clock-\(shard.index)")
        }
        return Int(facts.st_mtim.tv_sec) * 1_000_000_000 + Int(facts.st_mtim.tv_nsec)
    }

    private func failure(_ message: String) -> RunError {
        RunError(.meeting, "\(path(message)): \(String(cString: strerror(errno)))")
    }
}
