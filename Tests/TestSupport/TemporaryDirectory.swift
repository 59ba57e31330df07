import Foundation

/// A folder of its own for one test, removed with everything in it when the last reference to it goes.
public final class TemporaryDirectory: Sendable {
    /// Where the folder is.
    public let url: URL
    private let isKept: Bool

    /// Makes the folder.
    ///
    /// - Parameter isKept: Whether the folder outlives the object, for files that remain open. It goes when the process
    ///   ends.
    public init(isKept: Bool = false) throws {
        self.isKept = isKept
        url = try ProcessDirectory.current.get().url.appending(path: UUID().uuidString, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        if !isKept { try? FileManager.default.removeItem(at: url) }
    }

    /// The path of the folder.
    public var path: String { url.path(percentEncoded: false) }

    /// Where a file called `name` in the folder is, or would be.
    public func file(_ name: String) -> URL {
        url.appending(path: name, directoryHint: .notDirectory)
    }

    /// Writes a file and says where it is.
    @discardableResult
    public func write(_ contents: Data, to name: String) throws -> URL {
        let file = file(name)
        try contents.write(to: file)
        return file
    }

    /// Writes a file and says where it is.
    @discardableResult
    public func write(_ contents: String, to name: String) throws -> URL {
        try write(Data(contents.utf8), to: name)
    }

    /// The names of the files in the folder, in alphabetical order.
    public func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}
