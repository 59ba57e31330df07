import Foundation

/// The programs of the package, as the build of the tests makes them.
public enum BuiltProgram {
    /// Where the program called `name` is: in the folder of the test bundle.
    public static func url(_ name: String) -> URL {
        let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(filePath: tests).deletingLastPathComponent().appending(path: name)
    }
}
