import Foundation

/// The files that a run writes beside one another, and its results so far.
final class RunFiles {
    private(set) var outcome = RunOutcome()
    /// The fastest calibration of the rows so far, warm-ups included.
    private(set) var fastestCalibration: Int?
    /// The figures of the operations of the load that was recorded last.
    private(set) var operations: [OperationKind: OperationFigures] = [:]
    private let file: ResultFile
    private let tables: LoadTables
    private var spectra: SpectrumFiles

    /// Opens the CSV, and removes an earlier run's files.
    init(_ request: RunRequest) throws {
        try request.checkFilesBeside()
        file = try ResultFile(path: request.output.path, replace: request.replacesOutput)
        try request.removeExistingFilesBeside()
        tables = LoadTables(beside: request.output, replaces: request.replacesOutput)
        spectra = SpectrumFiles(beside: request.output)
    }

    /// Returns the log that writes the events of a job into these files.
    func log(
        _ job: RepetitionJob, done: Double, share: Double, onEvent: @escaping @Sendable (RunEvent) -> Void
    ) -> JobLog {
        JobLog(job, done: done, share: share, file: file, tables: tables, onEvent: onEvent)
    }

    /// Adds the results of a job after its end.
    ///
    /// - Returns: The rows that it added to the outcome.
    @discardableResult func add(_ log: JobLog) throws -> ArraySlice<ResultRow> {
        let before = outcome.rows.count
        fastestCalibration = [fastestCalibration, log.fastestCalibration].compactMap(\.self).min()
        operations = log.operations
        try log.add(to: &outcome, &spectra)
        return outcome.rows.dropFirst(before)
    }

    /// Adds the result of a search for the highest rate.
    func add(_ found: FoundRate) { outcome.foundRates.append(found) }

    /// Notes why a run with a stopping rule ended.
    func note(_ stopping: StoppingOutcome?) { outcome.stopping = stopping }

    /// Notes that the run was stopped.
    func noteInterruption() { outcome.isInterrupted = true }
}
