import Foundation

/// What the harness adds to the work that it measures: a run of drivers whose work is known, held against what they are
/// known to do.
public struct OverheadStudy: Sendable {
    /// What one phase came to.
    struct Phase: Sendable {
        let name: String
        let kind: String
        /// Operations of the phase, which so many threads do at once.
        let operations: Int
        let lanes: Int
        /// How long no work took, as reported, in nanoseconds.
        let nothing: SampleSummary?
        /// How much longer a wait was reported to be than it must have been, in nanoseconds.
        let excess: SampleSummary?
        /// What that wait must have been.
        let waited: Int
        /// By how much memory no work grew, and by how much more memory grew than was allocated, in bytes.
        let memoryOfNothing: SampleSummary?
        let memoryExcess: SampleSummary?

        /// What an operation costs beyond its work: of each of the threads that do them.
        var perOperation: Double? { nothing.map { $0.median * Double(lanes) / Double(operations) } }
        /// The largest error of a wait, as a share of it.
        var excessShare: Double? { excess.map { $0.median / Double(waited) } }
    }

    let known: KnownWork
    let phases: [Phase]
    /// Phases that failed, in words; a study of wrong results is worth nothing.
    public let problems: [String]

    /// - Throws: `RunError` for a run without its manifest, which tells what each phase does.
    public init(_ run: RecordedRun, known: KnownWork) throws(RunError) {
        guard let scenario = run.manifest?.scenario else {
            throw RunError(
                .results, "\(run.name): there is no manifest beside it; expected one that tells the scenario")
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
        let lanes = phase.work.content.lanes
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
