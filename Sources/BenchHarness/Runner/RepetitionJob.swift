/// Phases of one repetition of one driver: the task of a child process.
package struct RepetitionJob: Sendable, Equatable, Codable {
    /// Identifies the run in the results.
    var run: String
    /// The scenario, already scaled.
    var scenario: Scenario
    /// The driver's name.
    var driver: String
    /// The number of the repetition, from 1; 0 is a warm-up.
    package var repetition: Int
    /// The indices of the phases: either all, or a range in which each continues from the one before.
    package var phases: Range<Int>
    /// The folder that holds this driver's store, and its seeded copy from one repetition to the next.
    var directory: String
    /// The process id of the parent.
    package var parent: Int32
    /// The fastest calibration of the run's rows so far, in nanoseconds; nil if there is none.
    var fastestCalibration: Int?
    /// Chooses the values that no driver has seen, the same ones each time, so that their work is the same; nil chooses
    /// others each time, which no driver can foresee.
    var plantingSeed: UInt64?
    /// The other processes that do the loads too; nil for loads of this process alone.
    var sharing: SharedLoad?

    func identity(of phase: Phase) -> ResultRow.Identity {
        ResultRow.Identity(
            run: run, scenario: scenario.name, driver: driver, phase: phase.name, kind: phase.kind, mode: phase.mode,
            repetition: repetition)
    }

    /// Returns a row that identifies the phase and the run, without any figures.
    func row(for phase: Phase, status: ResultRow.Status = .ok, error: String = "") -> ResultRow {
        ResultRow(identity: identity(of: phase), outcome: ResultRow.Outcome(status: status, error: error))
    }
}

/// An event in a repetition.
package enum RepetitionEvent: Sendable, Equatable, Codable {
    /// The phase with this index began.
    case started(Int)
    /// The current phase has found this many records.
    case progress(Int)
    /// The figures of the current load in the last interval.
    case sample(LoadSample)
    /// The current phase ended.
    case finished(PhaseReport)
}

/// The result of a phase.
package struct PhaseReport: Sendable, Equatable, Codable {
    /// The figures of the phase.
    package let row: ResultRow
    /// The durations of its operations, if there are several and the phase succeeded.
    var latencies: LatencyHistogram?
    /// The figures of a load, by the kind of operation.
    var operations: [OperationKind: OperationFigures]?

    /// Returns the report as one of a phase that failed, which has no latencies.
    func failed(_ reason: String) -> PhaseReport {
        var row = row
        (row.outcome.status, row.outcome.error, row.outcome.verified) = (.failed, reason, nil)
        return PhaseReport(row: row)
    }

    /// The kinds of operation that a load did; empty for other phases.
    package var operationKinds: Set<OperationKind> { Set((operations ?? [:]).keys) }
}
