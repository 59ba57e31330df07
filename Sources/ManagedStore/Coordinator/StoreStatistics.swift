/// Exact counts of a store's work. A count that a type of store does not keep is nil, not 0.
public struct StoreStatistics: Sendable, Equatable {
    /// SQL statements executed.
    public var statements: Int?
    /// Steps of SQLite's virtual machine, which executes the statements.
    public var vmSteps: Int?
    /// Rows read or written: those that the store returns, and those that it inserts, updates or deletes.
    public var rows: Int?
    /// Pages written by the connections' caches.
    public var pagesWritten: Int?
    /// Rows whose version differed from the expected one in a save.
    public var conflicts: Int?

    /// Adds two counts; the sum is nil if either count is.
    public static func + (left: StoreStatistics, right: StoreStatistics) -> StoreStatistics {
        StoreStatistics(
            statements: sum(left.statements, right.statements), vmSteps: sum(left.vmSteps, right.vmSteps),
            rows: sum(left.rows, right.rows), pagesWritten: sum(left.pagesWritten, right.pagesWritten),
            conflicts: sum(left.conflicts, right.conflicts))
    }

    private static func sum(_ left: Int?, _ right: Int?) -> Int? {
        if let left, let right { left + right } else { nil }
    }
}
