/// How a SQLite store is opened. The journal is always a write-ahead log, unless the file is only read.
public struct SQLiteStoreOptions: PersistentStoreOptions, Equatable {
    /// `PRAGMA synchronous`: what survives a power cut.
    public enum Synchronous: String, Sendable {
        /// Nothing is promised.
        case off
        /// The database stays whole; the last saves may be lost.
        case normal
        /// No save is lost.
        case full
        /// As `full`, the directory's entry included.
        case extra
    }

    /// `PRAGMA synchronous`.
    public var synchronous: Synchronous
    /// `PRAGMA cache_size` of each connection, in KiB.
    public var cacheSizeKiB: Int
    /// `PRAGMA page_size` of a new file, in bytes.
    public var pageSizeBytes: Int
    /// `PRAGMA mmap_size`, in bytes; 0 turns memory mapping off.
    public var mmapSizeBytes: Int
    /// `PRAGMA wal_autocheckpoint`, in pages; 0 turns automatic checkpoints off.
    public var walAutocheckpointPages: Int
    /// How long to wait for another process's lock, in milliseconds.
    public var busyTimeoutMilliseconds: Int
    /// Whether a file made with an older model is given what the model has and it lacks: entities, attributes that are
    /// optional or have a default value, optional relationships. See <doc:FileFormat>.
    public var migratesAutomatically: Bool
    /// Whether the file is only read, as with Core Data's `NSReadOnlyPersistentStoreOption`: not a byte of it, of its
    /// log or of anything beside it changes, its journal mode stays, and it may lie in a folder that cannot be written.
    /// Saves, batch requests and checkpoints throw ``StoreError`` with `invalidRequest`. A file that does not exist, or
    /// needs migration, is refused.
    public var isReadOnly: Bool
    /// The name of the SQLite file system (VFS) to open files with; nil for the system's. Tests name one that fails.
    var fileSystem: String?

    /// SQLite's defaults, and Core Data's `synchronous`: full.
    public init(
        synchronous: Synchronous = .full, cacheSizeKiB: Int = 2_000, pageSizeBytes: Int = 4_096,
        mmapSizeBytes: Int = 0, walAutocheckpointPages: Int = 1_000, busyTimeoutMilliseconds: Int = 5_000,
        migratesAutomatically: Bool = true, isReadOnly: Bool = false
    ) {
        self.synchronous = synchronous
        self.cacheSizeKiB = cacheSizeKiB
        self.pageSizeBytes = pageSizeBytes
        self.mmapSizeBytes = mmapSizeBytes
        self.walAutocheckpointPages = walAutocheckpointPages
        self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
        self.migratesAutomatically = migratesAutomatically
        self.isReadOnly = isReadOnly
    }
}
