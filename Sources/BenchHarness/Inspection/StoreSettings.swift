/// The settings in force of one connection of an open store, as the store reports them. Nil means that it cannot tell.
public struct StoreSettings: Sendable, Equatable {
    /// `PRAGMA synchronous`.
    public var synchronous: StoreOptions.Synchronous?
    /// `PRAGMA cache_size`, in KiB.
    public var cacheSizeKiB: Int?
    /// `PRAGMA page_size`, in bytes.
    public var pageSizeBytes: Int?
    /// `PRAGMA mmap_size`, in bytes. A library may map less than the scenario allows.
    public var mmapSizeBytes: Int?
    /// `PRAGMA wal_autocheckpoint`, in pages.
    public var walAutocheckpointPages: Int?

    /// Creates settings of which nothing is known.
    public init() {}

    /// Creates settings from the numbers that SQLite reports for `PRAGMA`s by name, or nil for one that it does not
    /// report.
    public init(ofSQLite number: (String) throws -> Int?) rethrows {
        let levels: [StoreOptions.Synchronous] = [.off, .normal, .full, .extra]
        synchronous = try number("synchronous").flatMap { levels.indices.contains($0) ? levels[$0] : nil }
        pageSizeBytes = try number("page_size")
        mmapSizeBytes = try number("mmap_size")
        walAutocheckpointPages = try number("wal_autocheckpoint")
        // SQLite reports a size in KiB as a negative number, and a number of pages as a positive one.
        let size = pageSizeBytes ?? 0
        cacheSizeKiB = try number("cache_size").map { $0 < 0 ? -$0 : $0 * size / 1_024 }
    }

    /// Returns the settings that are not those of the scenario, in words; empty if all are.
    func problems(_ options: StoreOptions) -> [String] {
        func problem<Value: Equatable>(_ name: String, _ found: Value?, _ wanted: Value) -> String? {
            guard let found, found != wanted else { return nil }
            return "the store works with \(name) \(found); expected \(wanted)"
        }
        let mapped = mmapSizeBytes.map { $0 > 0 && $0 < options.mmapSizeBytes ? options.mmapSizeBytes : $0 }
        return [
            problem("synchronous", synchronous?.rawValue, options.synchronous.rawValue),
            problem("cache_size_kib", cacheSizeKiB, options.cacheSizeKiB),
            problem("page_size_bytes", pageSizeBytes, options.pageSizeBytes),
            problem("mmap_size_bytes", mapped, options.mmapSizeBytes),
            problem("wal_autocheckpoint_pages", walAutocheckpointPages, options.walAutocheckpointPages),
        ].compactMap { $0 }
    }
}
