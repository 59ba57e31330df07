/// Phases of one repetition of one driver: what a child process is asked to do.
struct RepetitionJob: Sendable, Equatable, Codable {
    /// Identifies the run in the results.
    var run: String
    /// The scenario, scaled already.
    var scenario: Scenario
    /// The driver's name.
    var driver: String
    /// From 1; 0 is a warm-up.
    var repetition: Int
    /// Which phases, by their indices: some that go on from one another, or all.
    var phases: Range<Int>
    /// The folder that holds this driver's store, and its seeded copy from one repetition to the next.
    var directory: String
    /// The process that asks.
    var parent: Int32

    /// A row that says which phase of which run it is about, and nothing yet of how it went.
    func row(for phase: Phase, status: ResultRow.Status = .ok, error: String = "") -> ResultRow {
        var row = ResultRow()
        row.run = run
        row.scenario = scenario.name
        row.driver = driver
        row.phase = phase.name
        row.kind = phase.kind
        row.mode = phase.mode
        row.repetition = repetition
        row.status = status
        row.error = error
        return row
    }
}

/// What happens in a repetition.
enum RepetitionEvent: Sendable, Equatable, Codable {
    /// The phase with this index began.
    case started(Int)
    /// The phase under way has found so many records.
    case progress(Int)
    /// What the load under way was like in the last interval.
    case sample(LoadSample)
    /// The phase under way ended.
    case finished(PhaseReport)
}

/// What a phase came to.
package struct PhaseReport: Sendable, Equatable, Codable {
    /// Its figures.
    package var row: ResultRow
    /// How long each of its operations took, where there were several and all is well with them.
    var latencies: LatencyHistogram?
    /// What a load came to, by the kind of operation.
    var operations: [OperationKind: OperationFigures]?

    /// The kinds of operation that a load did; empty for other phases.
    package var operationKinds: Set<OperationKind> { Set((operations ?? [:]).keys) }
}
