/// The sums of the counters of a connection's statements.
final class StatementCounts {
    private(set) var statements = 0
    private(set) var vmSteps = 0
    private(set) var rows = 0

    func add(statements: Int32, vmSteps: Int32, rows: Int) {
        self.statements += Int(statements)
        self.vmSteps += Int(vmSteps)
        self.rows += rows
    }

    func reset() { (statements, vmSteps, rows) = (0, 0, 0) }
}
