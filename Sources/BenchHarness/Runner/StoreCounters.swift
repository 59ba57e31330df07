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
    /// The peak of the memory that the store library itself had allocated, in bytes.
    public var storeMemoryPeakBytes: Int?

    /// Creates counters; those left out are unknown.
    public init(
        statements: Int? = nil, vmSteps: Int? = nil, rows: Int? = nil, pagesWritten: Int? = nil, conflicts: Int? = nil,
        storeMemoryPeakBytes: Int? = nil
    ) {
        self.statements = statements
        self.vmSteps = vmSteps
        self.rows = rows
        self.pagesWritten = pagesWritten
        self.conflicts = conflicts
        self.storeMemoryPeakBytes = storeMemoryPeakBytes
    }
}
