import BenchHarness
import Foundation

/// The overhead that the harness adds to the work it measures: a run of drivers with known work, compared with that
/// work.
public struct OverheadStudy: Sendable {
    /// The result of one phase.
    struct Phase: Sendable {
        let name: String
        let kind: String
        /// The number of operations of the phase; `lanes` threads run them at once.
        let operations: Int
        let lanes: Int
        /// The reported duration of no work, in nanoseconds.
        let nothing: SampleSummary?
        /// The reported duration of a wait less its known duration, in nanoseconds.
        let excess: SampleSummary?
        /// The known duration of that wait.
        let waited: Int
        /// The memory growth of no work, and the growth of memory less the known allocation, in bytes.
        let memoryOfNothing: SampleSummary?
        let memoryExcess: SampleSummary?

        /// The cost of an operation beyond its work, on each of the threads.
        var perOperation: Double? { nothing.map { $0.median * Double(lanes) / Double(operations) } }
        /// The largest error of a wait, as a share of the wait.
        var excessShare: Double? { excess.map { $0.median / Double(waited) } }
    }

    let known: KnownWork
    let phases: [Phase]
    /// Phases that failed, in words; a study of wrong results is worth nothing.
    public let problems: [String]

    /// - Throws: `RunError` for a run without its manifest, which describes each phase.
    public init(_ run: RecordedRun, known: KnownWork) throws(RunError) {
        guard let scenario = run.manifest?.scenario else {
            throw RunError(
                .results, "\(run.name): there is no manifest beside it; expected one that describes the scenario")
        }
        self.known = known
        phases = scenario.phases.map { Phase($0, run.rows.filter(\.isEvidence), known) }
        problems = run.rows.filter { !$0.isEvidence }.map { "\($0.title): \($0.status.rawValue): \($0.error)" }
    }
}

extension OverheadStudy.Phase {
    fileprivate init(_ phase: Phase, _ rows: [ResultRow], _ known: KnownWork) {
        let of = { (driver: String) in rows.filter { $0.driver == driver && $0.phase == phase.name } }
        let summary = { (values: [Int?]) in SampleSummary(values.compactMap { $0.map(Double.init) }) }
        let nothing = of(KnownWork.nothing)
        let operations = nothing.compactMap(\.operations).max() ?? 1
        let lanes = phase.lanes
        let waited = known.leastWait(operations: operations, lanes: lanes)
        name = phase.name
        kind = phase.kind
        self.operations = operations
        self.lanes = lanes
        self.waited = waited
        self.nothing = summary(nothing.map(\.durationNanoseconds))
        excess = summary(of(KnownWork.waits).map { $0.durationNanoseconds.map { $0 - waited } })
        memoryOfNothing = summary(nothing.map(\.residentPeakDelta))
        memoryExcess = summary(
            of(KnownWork.allocates).map { $0.residentPeakDelta.map { $0 - known.allocatedBytes } })
    }
}
