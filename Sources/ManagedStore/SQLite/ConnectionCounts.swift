/// The counts of connections.
struct ConnectionCounts {
    var statements = 0
    var vmSteps = 0
    var rows = 0
    var pagesWritten = 0
    var conflicts = 0

    static func += (left: inout ConnectionCounts, right: ConnectionCounts) {
        left.statements += right.statements
        left.vmSteps += right.vmSteps
        left.rows += right.rows
        left.pagesWritten += right.pagesWritten
        left.conflicts += right.conflicts
    }

    var statistics: StoreStatistics {
        StoreStatistics(
            statements: statements, vmSteps: vmSteps, rows: rows, pagesWritten: pagesWritten, conflicts: conflicts)
    }
}
