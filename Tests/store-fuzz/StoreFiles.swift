import Foundation

/// The bytes of a store's file and of what lies beside it, by name.
enum StoreFiles {
    static func read(_ folder: URL) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasPrefix(ValidFile.name) {
            files[name] = try Data(contentsOf: folder.appendingPathComponent(name))
        }
        return files
    }

    static func write(_ files: [String: Data], to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in try read(folder).keys where files[name] == nil {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
        for (name, bytes) in files { try bytes.write(to: folder.appendingPathComponent(name)) }
    }
}
