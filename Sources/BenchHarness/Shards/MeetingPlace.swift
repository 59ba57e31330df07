import Foundation

/// Where the shards of a load leave messages for one another. No shard listens and none leads: each looks for what it
/// needs. Several threads of a process may use a place at the same time.
public protocol MeetingPlace: Sendable {
    /// The name of the place in messages.
    var name: String { get }
    /// Prepares the place for a run, once for each of its processes before all else.
    func prepare() throws
    /// Leaves a message, whole; returns false if there is one of that name.
    func leave(_ message: String, _ content: Data) throws -> Bool
    /// Leaves a message, or replaces the one of that name.
    func replace(_ message: String, _ content: Data) throws
    /// Returns those of some messages that are there, by their names.
    func read(_ messages: [String]) throws -> [String: Data]
    /// Removes some messages, which nothing needs any more.
    func remove(_ messages: [String]) throws
    /// Removes all messages except those whose names begin with `prefix`: the load is over, and these tell that the
    /// place was used.
    func forget(exceptFor prefix: String) throws
    /// Returns the time of the place's own clock, in nanoseconds since 1970, for the shard that asks.
    func now(for shard: Shard) throws -> Int
    /// How far a time of the place may be behind by its clock's resolution, in nanoseconds.
    var clockResolution: Int { get }
    /// How long a process waits before it looks for a message again, in microseconds.
    var pollMicroseconds: UInt32 { get }
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

    func prepare() {}

    /// The kernel stamps files with the time of its last tick, at 100 Hz or more.
    let clockResolution = 10_000_000
    let pollMicroseconds: UInt32 = 10_000

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

    func read(_ messages: [String]) throws -> [String: Data] {
        messages.reduce(into: [:]) { found, message in
            let path = path(message)
            guard FileManager.default.fileExists(atPath: path) else { return }
            found[message] = FileManager.default.contents(atPath: path)
        }
    }

    func remove(_ messages: [String]) { for message in messages { unlink(path(message)) } }

    /// Keeps all messages: the user removes the folder.
    func forget(exceptFor prefix: String) {}

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
