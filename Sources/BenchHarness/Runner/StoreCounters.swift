/// Exact counts of what a store did. Nil is not known, which is not 0.
public struct StoreCounters: Sendable, Equatable, Codable {
    /// SQL statements run.
    public var statements: Int?
    /// Steps of SQLite's virtual machine.
    public var vmSteps: Int?
    /// Rows read from or written to the store by statements.
    public var rows: Int?
    /// Database pages written by connections' page caches.
    public var pagesWritten: Int?
    /// Saves refused because another writer had changed a record.
    public var conflicts: Int?
    /// The most memory that the store library itself had allocated, in bytes.
    public var storeMemoryPeakBytes: Int?

    /// Creates counters; what is left out is not known.
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
