import Foundation

/// A temporary folder: for stores, and for results before they are joined.
public struct ScratchFolder: Sendable {
    /// The location.
    public let url: URL

    /// Creates a hidden folder in `parent`, which must exist.
    public init(in parent: URL) throws(RunError) {
        try self.init(in: parent, name: ".bench-" + Self.tag())
    }

    /// Creates the folder `name` in `parent`. An existing one belongs to another program and is an error.
    init(in parent: URL, name: String) throws(RunError) {
        url = parent.appendingPathComponent(name, isDirectory: true)
        guard mkdir(url.path, 0o777) == 0 else {
            throw RunError(.storeDirectory, "cannot create \(url.path): \(String(cString: strerror(errno)))")
        }
    }

    /// Deletes the folder and its content, and the stores of `drivers` that are named after folders in it.
    public func remove(with drivers: [any StoreDriver] = []) {
        for driver in drivers { try? driver.server?.removeStores(below: url) }
        try? FileManager.default.removeItem(at: url)
    }

    /// Returns a tag that distinguishes the files of one run.
    package static func tag() -> String { UUID().uuidString.prefix(8).lowercased() }
}
