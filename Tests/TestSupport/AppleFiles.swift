import Foundation
import Testing

/// Files that Apple's Core Data wrote itself. They lie in a folder beside the package, where there are any: they are
/// not part of it.
public enum AppleFiles {
    /// With an entity that inherits from another, derived attributes, a decimal one, and the history.
    public static let library = "SampleModel2_V2.sqlite"
    /// With one entity.
    public static let users = "SampleModel3_V1.sqlite"
    /// Why tests of these files do not run.
    public static let absence: Comment =
        "there is no folder shared/apple beside the package with files that Apple's Core Data wrote"

    private static let folder = Repository.root.deletingLastPathComponent().appending(path: "shared/apple")

    /// Whether the files are there.
    public static var areThere: Bool {
        [library, users].allSatisfy {
            FileManager.default.fileExists(atPath: folder.appending(path: $0).path(percentEncoded: false))
        }
    }

    /// Copies a file into a folder, and returns the copy.
    public static func copy(_ name: String, into directory: URL) throws -> URL {
        let url = directory.appending(path: name)
        try FileManager.default.copyItem(at: folder.appending(path: name), to: url)
        return url
    }
}
