import Foundation

/// The files that a run writes beside one another, and what it came to so far.
final class RunRecord {
    private(set) var outcome = RunOutcome()
    private let file: ResultFile
    private let tables: LoadTables
    private var spectra: SpectrumFiles

    /// Opens the CSV; an earlier run's files make room for this one's.
    init(_ request: RunRequest) throws {
        try request.checkSpectra()
        file = try ResultFile(path: request.output.path, replace: request.replacesOutput)
        try request.removeExistingSpectra()
        tables = LoadTables(beside: request.output, replaces: request.replacesOutput)
        spectra = SpectrumFiles(beside: request.output)
    }

    /// A recorder that writes to these files what happens in a job.
    func recorder(
        _ job: RepetitionJob, done: Double, share: Double, onEvent: @escaping @Sendable (RunEvent) -> Void
    ) -> StepRecorder {
        StepRecorder(job, done: done, share: share, file: file, tables: tables, onEvent: onEvent)
    }

    /// Takes in what a job came to, once it is over.
    ///
    /// - Returns: The rows that it added to the outcome.
    @discardableResult func add(_ recorder: StepRecorder) throws -> ArraySlice<ResultRow> {
        let before = outcome.rows.count
        try recorder.add(to: &outcome, &spectra)
        return outcome.rows.dropFirst(before)
    }

    /// Notes that the run was stopped.
    func noteInterruption() { outcome.isInterrupted = true }
}
