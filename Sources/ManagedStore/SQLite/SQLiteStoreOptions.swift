/// The options for opening a SQLite store. The journal is always a write-ahead log, unless the file is read-only.
public struct SQLiteStoreOptions: PersistentStoreOptions, Equatable {
    /// `PRAGMA synchronous`: the durability after a power cut.
    public enum Synchronous: String, Sendable {
        /// No guarantee.
        case off
        /// The database stays consistent; the last saves may be lost.
        case normal
        /// No save is lost.
        case full
        /// Like `full`; the directory entry is durable as well.
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
    /// As `PRAGMA wal_autocheckpoint`: the length of the log, in pages, with which a save writes it back to the file; 0
    /// turns that off. Other saves and fetches go on meanwhile.
    public var walAutocheckpointPages: Int
    /// The time to wait for another process's lock, in milliseconds.
    public var busyTimeoutMilliseconds: Int
    /// Whether to add the parts of a newer model that an older file lacks: entities, attributes that are optional or
    /// have a default value, optional relationships. See <doc:FileFormat>.
    public var migratesAutomatically: Bool
    /// Whether the file is read-only, as with Core Data's `NSReadOnlyPersistentStoreOption`.
    ///
    /// No byte of the file, of its log or of anything beside it changes, its journal mode stays the same, and it may
    /// lie in a folder without write permission. Saves, batch requests and checkpoints throw ``StoreError`` with
    /// `invalidRequest`. Opening a file that does not exist or needs migration throws an error.
    public var isReadOnly: Bool
    /// The name of the SQLite file system (VFS) for the files; nil for the system's. Tests use one that fails, and the
    /// benchmark uses one that counts.
    package var fileSystem: String?

    /// Makes options with SQLite's defaults, and with Core Data's `synchronous`: full.
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
