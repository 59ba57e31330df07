/// Exact counts of a store's work. Nil means unknown, which is not 0.
public struct StoreCounters: Sendable, Equatable, Codable {
    /// The number of SQL statements run.
    public var statements: Int?
    /// Steps of SQLite's virtual machine.
    public var vmSteps: Int?
    /// Rows read from or written to the store by statements.
    public var rows: Int?
    /// Database pages written by connections' page caches.
    public var pagesWritten: Int?
    /// Saves refused because another writer had changed a record.
    public var conflicts: Int?
    /// Calls that made a file of the store durable, such as `fsync`.
    public var syncs: Int?
    /// Bytes written to the write-ahead log.
    public var logBytesWritten: Int?
    /// Bytes written to the database itself, which a store with a write-ahead log writes at checkpoints.
    public var databaseBytesWritten: Int?
    /// The peak of the memory that the store library itself had allocated, in bytes.
    public var storeMemoryPeakBytes: Int?

    /// Creates counters; those left out are unknown.
    public init(
        statements: Int? = nil, vmSteps: Int? = nil, rows: Int? = nil, pagesWritten: Int? = nil, conflicts: Int? = nil,
        syncs: Int? = nil, logBytesWritten: Int? = nil, databaseBytesWritten: Int? = nil,
        storeMemoryPeakBytes: Int? = nil
    ) {
        self.statements = statements
        self.vmSteps = vmSteps
        self.rows = rows
        self.pagesWritten = pagesWritten
        self.conflicts = conflicts
        self.syncs = syncs
        self.logBytesWritten = logBytesWritten
        self.databaseBytesWritten = databaseBytesWritten
        self.storeMemoryPeakBytes = storeMemoryPeakBytes
    }
}

extension StoreCounters {
    /// Returns what is wrong with the syncs of a phase, in words; empty if nothing is, or if they are not counted.
    ///
    /// A setting can be changed while the clock runs, and back again before it is read. Syncs that were left out remain
    /// missing. A log that is written back is synced first, unless `synchronous` is off. At `full`, so is each commit.
    func syncProblems(_ options: StoreOptions) -> [String] {
        guard syncs == 0, options.synchronous != .off else { return [] }
        let isEachCommitSynced = options.synchronous == .full || options.synchronous == .extra
        let written = (databaseBytesWritten ?? 0) + (isEachCommitSynced ? logBytesWritten ?? 0 : 0)
        if written == 0 { return [] }
        return [
            "the store synced nothing and wrote \(written) bytes that must be durable with synchronous "
                + options.synchronous.rawValue
        ]
    }
}
