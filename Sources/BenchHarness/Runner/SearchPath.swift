import Foundation

/// The folders in which a shell searches for a program, as the variable `PATH` has them.
package struct SearchPath {
    private let folders: [Substring]

    /// - Parameter text: The value of the variable.
    package init(_ text: String?) { folders = (text ?? "").split(separator: ":") }

    /// Returns the first program of a name; nil if there is none.
    package func program(_ name: String) -> URL? {
        folders.lazy.map { URL(fileURLWithPath: String($0), isDirectory: true).appendingPathComponent(name) }
            .first(where: Self.isProgram)
    }

    /// Whether a file can be executed: a folder can not, though it has that right.
    package static func isProgram(_ file: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) && !isFolder.boolValue
            && FileManager.default.isExecutableFile(atPath: file.path)
    }
}
