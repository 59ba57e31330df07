import Foundation
import Locking

/// What operations of one kind came to.
struct OperationFigures: Sendable, Codable, Equatable {
    /// From the intended start to the end, retries and all.
    var response = LatencyHistogram()
    /// From when the operation could begin to its end.
    var service = LatencyHistogram()
    /// Operations that failed: the store refused them for good, or threw an unexpected error.
    var errors = 0
    /// Operations about a record that was not there.
    var missing = 0

    /// Counts an operation that was done.
    mutating func record(response: Int, service: Int, isMissing: Bool) {
        self.response.record(response)
        self.service.record(service)
        if isMissing { missing += 1 }
    }

    /// Adds what `other` counted.
    mutating func merge(_ other: Self) {
        response.merge(other.response)
        service.merge(other.service)
        errors += other.errors
        missing += other.missing
    }
}

/// Counts what one worker does; another thread may look meanwhile. Only the sampler, once an interval, ever waits for
/// the lock.
final class LoadRecorder: Sendable {
    private struct State {
        var kinds: [OperationKind: OperationFigures] = [:]
        var interval = OperationFigures()
        var retries = 0
        var conflicts = 0
        var reasons: [String] = []
        var ledgerBytes = 0
    }

    private let state = Locked(State())

    /// Notes an operation that was done, and what the worker's ledger takes since.
    func record(_ kind: OperationKind, response: Int, service: Int, isMissing: Bool, ledgerBytes: Int) {
        state.withLock { state in
            state.kinds[kind, default: OperationFigures()].record(
                response: response, service: service, isMissing: isMissing)
            state.interval.response.record(response)
            state.ledgerBytes = ledgerBytes
        }
    }

    /// Notes an operation that failed.
    func recordError(_ kind: OperationKind, _ reason: String) {
        state.withLock { state in
            state.kinds[kind, default: OperationFigures()].errors += 1
            state.interval.errors += 1
            if state.reasons.count < 3 { state.reasons.append(reason) }
        }
    }

    /// Notes that an operation is tried again.
    func recordRetry(isConflict: Bool) {
        state.withLock { state in
            state.retries += 1
            if isConflict { state.conflicts += 1 }
        }
    }

    /// What came since this was last asked.
    func takeInterval() -> OperationFigures {
        state.withLock { state in
            defer { state.interval = OperationFigures() }
            return state.interval
        }
    }

    /// What the worker's ledger takes, in bytes.
    var ledgerBytes: Int { state.withLock { $0.ledgerBytes } }
    /// Everything so far, by kind.
    var figures: [OperationKind: OperationFigures] { state.withLock { $0.kinds } }
    /// Operations tried again.
    var retries: Int { state.withLock { $0.retries } }
    /// Of those, because another writer had changed a record.
    var conflicts: Int { state.withLock { $0.conflicts } }
    /// The first reasons for which operations failed.
    var errorReasons: [String] { state.withLock { $0.reasons } }
}
