import Foundation

/// The folder that holds every temporary directory of one process.
///
/// The process removes the folder when it exits. A process that is killed cannot, so the next one does: each holds a
/// lock on the file `owner` in its folder, and the system drops that lock when the process ends.
public struct ProcessDirectory: Sendable {
    /// Where the folder is.
    public let url: URL
    private let process = getpid()
    private let lock: CInt

    private static let prefix = "managed-store-tests-"

    /// The folder of this process, or why it could not be made.
    public static let current: Result<ProcessDirectory, any Error> = Result {
        let parent = FileManager.default.temporaryDirectory
        removeAbandoned(in: parent)
        let directory = try ProcessDirectory(in: parent)
        atexit {
            // A forked copy of the process does not own the folder.
            guard let directory = try? ProcessDirectory.current.get(), directory.process == getpid() else { return }
            try? FileManager.default.removeItem(at: directory.url)
        }
        return directory
    }

    /// Makes a folder in `parent` and locks it.
    public init(in parent: URL) throws {
        var template = Array(parent.appending(path: "\(Self.prefix)XXXXXX").path(percentEncoded: false).utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        url = URL(filePath: path, directoryHint: .isDirectory)
        // The file gets its name when it is locked, so that no other process takes the folder for abandoned.
        let (new, owner) = (url.appending(path: "owner.new"), url.appending(path: "owner"))
        lock = open(new.path(percentEncoded: false), O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        try FileManager.default.moveItem(at: new, to: owner)
    }

    /// Gives up the lock, as the end of the process does.
    public func abandon() {
        flock(lock, LOCK_UN)
        close(lock)
    }

    /// Removes the folders in `parent` whose processes have ended.
    public static func removeAbandoned(in parent: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path(percentEncoded: false))) ?? []
        for name in names where name.hasPrefix(prefix) {
            let folder = parent.appending(path: name, directoryHint: .isDirectory)
            let owner = open(folder.appending(path: "owner").path(percentEncoded: false), O_RDWR | O_CLOEXEC)
            guard owner >= 0 else { continue }
            if flock(owner, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(at: folder) }
            close(owner)
        }
    }
}
