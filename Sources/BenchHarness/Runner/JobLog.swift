import Foundation
import Locking

/// Writes down what happens in the phases of one job.
///
/// Progress arrives on any thread. The log calls `onEvent` without its lock, because that is the caller's code.
final class JobLog: Sendable {
    private struct State {
        var reports: [PhaseReport] = []
        /// The intervals of loads that other processes share.
        var intervals: [LoadHistograms.Key: [LoadInterval]] = [:]
        /// The position of the phase under way.
        var current: Int?
        var failure: RunError?
        /// The report of the job's last phase: it stands once the process ended as it should.
        var last: PhaseReport?
    }

    private let job: RepetitionJob
    private let done: Double
    private let share: Double
    private let file: ResultFile
    private let tables: LoadTables
    private let onEvent: @Sendable (RunEvent) -> Void
    private let state = Locked(State())

    init(
        _ job: RepetitionJob, done: Double, share: Double, file: ResultFile, tables: LoadTables,
        onEvent: @escaping @Sendable (RunEvent) -> Void
    ) {
        self.job = job
        self.done = done
        self.share = share
        self.file = file
        self.tables = tables
        self.onEvent = onEvent
    }

    private var isWarmup: Bool { job.repetition == 0 }

    /// Records an event.
    ///
    /// - Returns: Whether the run can continue; false if writing a row failed.
    func receive(_ event: RepetitionEvent) -> Bool {
        switch event {
        case .started(let phase): start(phase)
        case .progress(let found): onEvent(.progress(found))
        case .sample(let sample): record(sample)
        case .finished(let report):
            state.withLock { $0.current = nil }
            if isLast { state.withLock { $0.last = report } } else { record(report) }
        }
        return state.withLock { $0.failure == nil }
    }

    /// Writes rows for phases that a premature end left undone: all of them if the process failed, the current one if
    /// it was stopped. The last phase fails with a process that fails after it.
    func end(_ reason: String?, isInterrupted: Bool) {
        let state = state.value
        guard state.failure == nil else { return }
        if let last = state.last {
            let failure = isInterrupted ? nil : reason
            record(failure.map { last.failed("its process \($0) after the phase") } ?? last)
        } else if isInterrupted {
            if let current = state.current {
                record(PhaseReport(row: job.row(for: job.scenario.phases[current], status: .interrupted)))
            }
        } else if let reason {
            recordMissing("its process \(reason)", after: state)
        }
    }

    /// Adds the rows to `outcome` and the latencies to `spectra`; throws if writing failed.
    func add(to outcome: inout RunOutcome, _ spectra: inout SpectrumFiles) throws {
        let state = state.value
        let rows = state.reports.map(\.row)
        if !isWarmup { outcome.rows += rows }
        outcome.failures += rows.filter { $0.status == .failed }
        if let failure = state.failure { throw failure }
        if !isWarmup { try spectra.add(state.reports, state.intervals) }
    }

    /// The fastest calibration of the job's rows.
    var fastestCalibration: Int? { state.value.reports.compactMap(\.row.calibration).min() }

    /// The figures of the operations of the last phase; empty if it was no load.
    var operations: [OperationKind: OperationFigures] { state.value.reports.last?.operations ?? [:] }

    /// Whether the next report is that of the job's last phase.
    private var isLast: Bool { state.value.reports.count == job.phases.count - 1 }

    private func start(_ phase: Int) {
        state.withLock { $0.current = phase }
        let part = Double(phase - job.phases.lowerBound) / Double(job.phases.count)
        onEvent(
            .phaseStarted(
                done: done + share * part, driver: job.driver, repetition: job.repetition,
                phase: job.scenario.phases[phase].name))
    }

    private func recordMissing(_ reason: String, after state: State) {
        let missing = job.phases.dropFirst(state.reports.count)
        for index in missing {
            let error = index == state.current ?? missing.first ? reason : "not run: \(reason)"
            record(PhaseReport(row: job.row(for: job.scenario.phases[index], status: .failed, error: error)))
        }
    }

    private func record(_ sample: LoadSample) {
        onEvent(.sample(sample))
        if isWarmup { return }
        state.withLock { state in
            guard state.failure == nil, let current = state.current else { return }
            let row = job.row(for: job.scenario.phases[current])
            if let interval = LoadInterval(sample) { state.intervals[.init(row), default: []].append(interval) }
            do throws(RunError) { try tables.add(sample, row) } catch { state.failure = error }
        }
    }

    private func record(_ report: PhaseReport) {
        state.withLock { state in
            if !isWarmup, state.failure == nil {
                do throws(RunError) {
                    try file.append(report.row)
                    try tables.add(report)
                } catch {
                    state.failure = error
                }
            }
            state.reports.append(report)
        }
        onEvent(.phaseFinished(report.row))
    }
}
