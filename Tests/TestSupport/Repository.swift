import Foundation

/// The files of the package, for tests that read them.
public enum Repository {
    /// The folder of the package.
    public static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The results that are kept as an example.
    public static let million = url("Results/million/million.csv")

    /// The file or folder at `path`, relative to the package.
    public static func url(_ path: String) -> URL { root.appending(path: path) }
}
