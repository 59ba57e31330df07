import Foundation
import TestSupport

@testable import ManagedStore

/// The workload, once for each moment at which a fault can strike.
struct FaultRun {
    /// At how many moments the fault struck.
    private(set) var moments = 0
    /// How often the step under way failed; otherwise it succeeded all the same.
    private(set) var errors = 0
    private(set) var failures: [String] = []

    /// More than any workload has.
    private static let momentsMax = 20_000

    /// Repeats `life`, which says how many errors it met, at each `step`-th moment until the fault is not reached any
    /// more.
    init(_ injector: some FaultInjector, step: Int = 1, _ life: (Int) throws -> Int) {
        for moment in stride(from: 1, through: Self.momentsMax, by: step) {
            injector.arm(moment)
            defer { injector.lift() }
            do {
                errors += try life(moment)
            } catch {
                failures.append("at moment \(moment): \(error)")
            }
            if !injector.wasReached { return }
            moments += 1
        }
        failures.append("the fault never stops striking")
    }
}

extension FaultWorkload {
    /// Goes through all steps; tries one that failed again once the fault is lifted. Returns how many failed.
    mutating func live(_ injector: some FaultInjector, _ codes: Set<StoreError.Code>) throws -> Int {
        var errors = 0
        for step in Step.allCases {
            prepare(step)
            do {
                try attempt(step)
            } catch let error as StoreError {
                guard codes.contains(error.code) else { throw FaultFailure("\(step): \(error.code): \(error)") }
                errors += 1
                try recover(step, injector)
            }
            acknowledge()
        }
        injector.lift()
        try checkFile()
        return errors
    }

    /// Nothing of the step was done, as seen from every context; after that, it can be done.
    private func recover(_ step: Step, _ injector: some FaultInjector) throws {
        // While the fault lasts, reading may fail too; what is read is right.
        if step != .open, let found = Result(catching: stored).value { try check(found, step, "during the fault") }
        injector.lift()
        if step != .open { try check(stored(), step, "after the fault") }
        if step.isSave, !context.hasChanges { throw FaultFailure("\(step): the context lost its changes") }
        do {
            try attempt(step)
        } catch {
            throw FaultFailure("\(step), tried again: \(error)")
        }
    }

    private func check(_ found: Rows, _ step: Step, _ moment: String) throws {
        if found != rows { throw FaultFailure("\(step): \(found.count) rows \(moment), not the \(rows.count) before") }
    }

    /// The file is whole and has what was acknowledged.
    private func checkFile() throws {
        let database = try RawDatabase(url)
        let integrity = try database.lines("PRAGMA integrity_check")
        if integrity != ["ok"] { throw FaultFailure("the file is damaged: \(integrity)") }
        let found = try database.rows("SELECT ZNAME, ZDONE FROM ZITEM").map { ($0[0] ?? "", $0[1] == "1") }
        let rows = Rows(found) { first, _ in first }
        if rows != self.rows || found.count != rows.count {
            throw FaultFailure("the file has \(found.count) rows, not the \(self.rows.count) acknowledged ones")
        }
    }
}

extension Result {
    fileprivate var value: Success? { try? get() }
}
