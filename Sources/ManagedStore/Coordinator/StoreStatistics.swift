/// Exact counts of what a store did. A count that its type of store does not keep is nil, not 0.
public struct StoreStatistics: Sendable, Equatable {
    /// SQL statements run.
    public var statements: Int?
    /// Steps of the virtual machine that runs the statements, as SQLite has one.
    public var vmSteps: Int?
    /// Rows written; a store in memory counts those that it hands out as well.
    public var rows: Int?
    /// Pages written by the connections' caches.
    public var pagesWritten: Int?
    /// Rows whose version was not the expected one when a context wanted to save.
    public var conflicts: Int?

    /// Adds two counts; what one of them does not know is not known of both.
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
