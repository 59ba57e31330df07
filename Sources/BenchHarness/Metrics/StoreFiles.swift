import Foundation

/// The storage that a store takes.
public struct StoreFiles: Sendable, Equatable {
    /// The size of all files except logs and their indexes.
    public var databaseBytes = 0
    /// The size of write-ahead logs: files whose names end in `-wal`.
    public var logBytes = 0

    /// The size of all files.
    var totalBytes: Int { databaseBytes + logBytes }

    /// Adds up the sizes of the files in `directory` and below; nil if it cannot be read. The index of a log (`-shm`)
    /// is shared memory with a name, so it does not count.
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
