import Foundation

/// What operations of one kind came to.
struct OperationFigures: Sendable, Codable, Equatable {
    /// From the intended start to the end, retries and all.
    var response = LatencyHistogram()
    /// From when the operation could begin to its end.
    var service = LatencyHistogram()
    /// Operations that failed: the store refused them for good, or threw what nobody foresaw.
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

/// Counts what one worker does; another thread may look meanwhile.
///
/// Unchecked because the lock guards what changes. Nobody but the sampler, once an interval, ever waits for it.
final class LoadRecorder: @unchecked Sendable {
    private let lock = NSLock()
    private var kinds: [OperationKind: OperationFigures] = [:]
    private var interval = OperationFigures()
    private var retried = 0
    private var conflicted = 0
    private var reasons: [String] = []
    private var ledger = 0

    /// Notes an operation that was done, and what the worker's ledger takes since.
    func record(_ kind: OperationKind, response: Int, service: Int, isMissing: Bool, ledgerBytes: Int) {
        lock.withLock {
            kinds[kind, default: OperationFigures()].record(
                response: response, service: service, isMissing: isMissing)
            interval.response.record(response)
            ledger = ledgerBytes
        }
    }

    /// Notes an operation that failed.
    func recordError(_ kind: OperationKind, _ reason: String) {
        lock.withLock {
            kinds[kind, default: OperationFigures()].errors += 1
            interval.errors += 1
            if reasons.count < 3 { reasons.append(reason) }
        }
    }

    /// Notes that an operation is tried again.
    func recordRetry(isConflict: Bool) {
        lock.withLock {
            retried += 1
            if isConflict { conflicted += 1 }
        }
    }

    /// What came since this was last asked.
    func takeInterval() -> OperationFigures {
        lock.withLock {
            defer { interval = OperationFigures() }
            return interval
        }
    }

    /// What the worker's ledger takes, in bytes.
    var ledgerBytes: Int { lock.withLock { ledger } }
    /// Everything so far, by kind.
    var figures: [OperationKind: OperationFigures] { lock.withLock { kinds } }
    /// Operations tried again.
    var retries: Int { lock.withLock { retried } }
    /// Of those, because somebody else had changed a record.
    var conflicts: Int { lock.withLock { conflicted } }
    /// The first reasons for which operations failed.
    var errorReasons: [String] { lock.withLock { reasons } }
}
