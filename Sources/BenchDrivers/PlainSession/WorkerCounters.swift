import BenchHarness
import Foundation

/// What the connections of workers counted that are closed by now.
///
/// Unchecked because the lock guards the total.
final class WorkerCounters: @unchecked Sendable {
    private static let none = StoreCounters(statements: 0, vmSteps: 0, rows: 0, pagesWritten: 0, conflicts: 0)

    private let lock = NSLock()
    private var sum = none

    var total: StoreCounters { lock.withLock { sum } }

    func add(_ counters: StoreCounters) { lock.withLock { sum.add(counters) } }

    func reset() { lock.withLock { sum = Self.none } }
}

extension StoreCounters {
    /// Adds what another connection of the same store counted; what one of the two does not know is not known.
    mutating func add(_ other: StoreCounters) {
        statements = statements.adding(other.statements)
        vmSteps = vmSteps.adding(other.vmSteps)
        rows = rows.adding(other.rows)
        pagesWritten = pagesWritten.adding(other.pagesWritten)
        conflicts = conflicts.adding(other.conflicts)
    }
}

extension Int? {
    /// The sum, not known when one of the two is not.
    fileprivate func adding(_ other: Int?) -> Int? {
        if let self, let other { self + other } else { nil }
    }
}
