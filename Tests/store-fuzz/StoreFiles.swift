import Foundation

/// The bytes of a store's file and of what lies beside it, by name.
enum StoreFiles {
    static func read(_ folder: URL) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasPrefix(ValidFile.name) {
            files[name] = try content(folder.appendingPathComponent(name))
        }
        return files
    }

    /// A damaged journal may make a file of terabytes, which are holes: of such a one, its beginning and its size.
    private static func content(_ file: URL) throws -> Data {
        let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        guard size > 1 << 28 else { return try Data(contentsOf: file) }
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        return try (handle.read(upToCount: 1 << 20) ?? Data()) + Data("\(size)".utf8)
    }

    static func write(_ files: [String: Data], to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in try read(folder).keys where files[name] == nil {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
        for (name, bytes) in files { try bytes.write(to: folder.appendingPathComponent(name)) }
    }
}
