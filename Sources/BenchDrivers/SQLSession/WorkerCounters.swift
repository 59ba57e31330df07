import BenchHarness
import Foundation
import Locking

/// The sum of the counters of workers' closed connections.
final class WorkerCounters: Sendable {
    private static let none = StoreCounters(statements: 0, vmSteps: 0, rows: 0, pagesWritten: 0, conflicts: 0)

    private let sum = Locked(none)

    var total: StoreCounters { sum.value }

    func add(_ counters: StoreCounters) { sum.withLock { $0.add(counters) } }

    func reset() { sum.exchange(Self.none) }
}

extension StoreCounters {
    /// Adds the counters of another connection of the same store; a counter that one of the two lacks is unknown.
    mutating func add(_ other: StoreCounters) {
        statements = statements.adding(other.statements)
        vmSteps = vmSteps.adding(other.vmSteps)
        rows = rows.adding(other.rows)
        pagesWritten = pagesWritten.adding(other.pagesWritten)
        conflicts = conflicts.adding(other.conflicts)
    }
}

extension Int? {
    /// Returns the sum; unknown if one of the two is.
    fileprivate func adding(_ other: Int?) -> Int? {
        if let self, let other { self + other } else { nil }
    }
}
