import Foundation

/// Records the events in the phases of one job.
final class StepRecorder: @unchecked Sendable {
    private let job: RepetitionJob
    private let done: Double
    private let share: Double
    private let file: ResultFile
    private let tables: LoadTables
    private let onEvent: @Sendable (RunEvent) -> Void
    private let lock = NSRecursiveLock()
    // The lock guards this state, so the class is sendable: progress comes from any thread.
    private var reports: [PhaseReport] = []
    private var current: Int?
    private var failure: RunError?

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
        lock.withLock {
            switch event {
            case .started(let phase):
                current = phase
                let phases = job.scenario.phases
                onEvent(
                    .phaseStarted(
                        done: done + share * Double(phase) / Double(phases.count), driver: job.driver,
                        repetition: job.repetition, phase: phases[phase].name))
            case .progress(let found): onEvent(.progress(found))
            case .sample(let sample): record(sample)
            case .finished(let report):
                current = nil
                record(report)
            }
            return failure == nil
        }
    }

    /// Writes rows for phases that a premature end left undone: all of them if the process failed, the current one if
    /// it was stopped.
    func end(_ reason: String?, isInterrupted: Bool) {
        lock.withLock {
            guard failure == nil else { return }
            if isInterrupted {
                if let current {
                    record(PhaseReport(row: job.row(for: job.scenario.phases[current], status: .interrupted)))
                }
            } else if let reason {
                recordMissing("its process \(reason)")
            }
        }
    }

    /// Adds the rows to `outcome` and the latencies to `spectra`; throws if writing failed.
    func add(to outcome: inout RunOutcome, _ spectra: inout SpectrumFiles) throws {
        try lock.withLock {
            let rows = reports.map(\.row)
            if !isWarmup { outcome.rows += rows }
            outcome.failures += rows.filter { $0.status == .failed }
            if let failure { throw failure }
            if !isWarmup { try spectra.add(reports) }
        }
    }

    private func recordMissing(_ reason: String) {
        let first = job.phases.lowerBound + reports.count
        for index in job.phases.dropFirst(reports.count) {
            let error = index == current || (current == nil && index == first) ? reason : "not run: \(reason)"
            record(PhaseReport(row: job.row(for: job.scenario.phases[index], status: .failed, error: error)))
        }
    }

    private func record(_ sample: LoadSample) {
        onEvent(.sample(sample))
        guard !isWarmup, failure == nil, let current else { return }
        let row = job.row(for: job.scenario.phases[current])
        do throws(RunError) { try tables.add(sample, row) } catch { failure = error }
    }

    private func record(_ report: PhaseReport) {
        if !isWarmup, failure == nil {
            do throws(RunError) {
                try file.append(report.row)
                try tables.add(report)
            } catch {
                failure = error
            }
        }
        reports.append(report)
        onEvent(.phaseFinished(report.row))
    }
}
