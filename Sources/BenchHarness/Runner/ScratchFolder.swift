import Foundation

/// A folder of its own for what is needed only for a while: stores, and results on their way to others.
public struct ScratchFolder: Sendable {
    /// Where it is.
    public let url: URL

    /// Makes a hidden folder in `parent`, which must exist.
    public init(in parent: URL) throws(RunError) {
        try self.init(in: parent, name: ".bench-" + Self.tag())
    }

    /// Makes the folder `name` in `parent`. One that is there already belongs to another program, and is an error.
    init(in parent: URL, name: String) throws(RunError) {
        url = parent.appendingPathComponent(name, isDirectory: true)
        guard mkdir(url.path, 0o777) == 0 else {
            throw RunError(.storeDirectory, "cannot create \(url.path): \(String(cString: strerror(errno)))")
        }
    }

    /// Deletes the folder and all that is in it.
    public func remove() { try? FileManager.default.removeItem(at: url) }

    /// What tells one run's files from another's.
    static func tag() -> String { UUID().uuidString.prefix(8).lowercased() }
}
