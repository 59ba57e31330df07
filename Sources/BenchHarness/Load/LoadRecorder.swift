import Foundation
import Locking

/// The figures of operations of one kind.
struct OperationFigures: Sendable, Codable, Equatable {
    /// Times from the intended start to the end, including retries.
    var response = LatencyHistogram()
    /// Times from the actual start to the end.
    var service = LatencyHistogram()
    /// Operations that failed: the store refused them for good, or threw an unexpected error.
    var errors = 0
    /// Operations that were dropped because they could not begin in time.
    var dropped = 0
    /// Operations on a record that did not exist.
    var missing = 0

    /// The number of operations that were due.
    var due: Int { response.count + unanswered }

    /// The number of those that failed or were dropped, and so have no time.
    var unanswered: Int { errors + dropped }

    /// Returns a percentile of the response times of all operations that were due. Those that failed or were dropped
    /// count as slower than any that was done: nil if the percentile is one of them, or if none was due.
    func responsePercentile(_ percent: Double) -> Int? {
        response.percentile(percent, unbounded: unanswered)
    }

    /// Counts an operation that was done.
    mutating func record(response: Int, service: Int, isMissing: Bool) {
        self.response.record(response)
        self.service.record(service)
        if isMissing { missing += 1 }
    }

    /// Adds the figures of `other`.
    mutating func merge(_ other: Self) {
        response.merge(other.response)
        service.merge(other.service)
        errors += other.errors
        dropped += other.dropped
        missing += other.missing
    }
}

/// Counts the operations of one worker; another thread may read the counts meanwhile. Only the sampler contends for the
/// lock, once per interval.
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

    /// Notes an operation that was done, and the current size of the worker's ledger.
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

    /// Notes an operation that was dropped.
    func recordDrop(_ kind: OperationKind) {
        state.withLock { state in
            state.kinds[kind, default: OperationFigures()].dropped += 1
            state.interval.dropped += 1
        }
    }

    /// Notes that an operation is retried.
    func recordRetry(isConflict: Bool) {
        state.withLock { state in
            state.retries += 1
            if isConflict { state.conflicts += 1 }
        }
    }

    /// Returns the figures since the previous call.
    func takeInterval() -> OperationFigures {
        state.withLock { state in
            defer { state.interval = OperationFigures() }
            return state.interval
        }
    }

    /// The size of the worker's ledger, in bytes.
    var ledgerBytes: Int { state.withLock { $0.ledgerBytes } }
    /// All figures so far, by kind.
    var figures: [OperationKind: OperationFigures] { state.withLock { $0.kinds } }
    /// The number of retries.
    var retries: Int { state.withLock { $0.retries } }
    /// The number of retries because another writer had changed a record.
    var conflicts: Int { state.withLock { $0.conflicts } }
    /// The first reasons why operations failed.
    var errorReasons: [String] { state.withLock { $0.reasons } }
}
