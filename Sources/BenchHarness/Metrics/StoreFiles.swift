import Foundation

/// How much a store takes on storage.
public struct StoreFiles: Sendable, Equatable {
    /// All files but logs and their index.
    public var databaseBytes = 0
    /// Write-ahead logs: files whose names end in `-wal`.
    public var logBytes = 0

    /// Adds up the sizes of the files in `directory` and below; nil when it cannot be read. The index of a log (`-shm`)
    /// is shared memory with a name and not counted.
    public init?(in directory: URL) {
        let manager = FileManager.default
        guard let paths = manager.enumerator(atPath: directory.path) else { return nil }
        for case let path as String in paths {
            let attributes = try? manager.attributesOfItem(atPath: directory.appendingPathComponent(path).path)
            guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular,
                let size = attributes[.size] as? NSNumber
            else { continue }
            if path.hasSuffix("-wal") {
                logBytes += size.intValue
            } else if !path.hasSuffix("-shm") {
                databaseBytes += size.intValue
            }
        }
    }
}
