import Foundation

/// Checks that a file can be written, before the work is done whose results it is for.
enum OutputFile {
    /// Throws unless `file` can be made, or replaced where that is wanted.
    static func check(_ file: URL, replaces: Bool) throws(UsageError) {
        let folder = file.deletingLastPathComponent()
        guard isFolder(folder) else {
            throw UsageError("cannot write \(file.path): there is no folder \(folder.path)")
        }
        guard isWritable(folder) else {
            throw UsageError("cannot write \(file.path): the folder \(folder.path) is not writable")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)
        guard let type = attributes?[.type] as? FileAttributeType else { return }
        if type == .typeDirectory { throw UsageError("\(file.path) is a directory; expected a file to write") }
        guard type == .typeRegular else { throw UsageError("\(file.path) is not a regular file") }
        guard replaces else { throw UsageError("\(file.path) exists; --force replaces it") }
    }

    static func isFolder(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Permission alone does not tell: root has it on `/proc` too, where nothing can be made.
    static func isWritable(_ url: URL) -> Bool {
        let probe = url.appendingPathComponent(".bench-\(getpid())-\(UUID().uuidString.prefix(4))")
        guard mkdir(probe.path, 0o700) == 0 else { return false }
        rmdir(probe.path)
        return true
    }
}
