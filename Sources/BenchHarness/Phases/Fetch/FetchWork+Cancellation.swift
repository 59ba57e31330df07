/// The proof that a cancelled fetch was under way.
///
/// A cancelled fetch hands nothing over, so its work shows only in its CPU time. The harness compares it with the same
/// fetch by the same session, which it then lets finish. The bound is low, because a store may read first and sort
/// afterwards, or the other way round: it finds a fetch that did nothing, not one that did a little less.
extension FetchWork {
    /// The part of its share of a complete fetch that a cancelled one takes at least.
    private static let leastPart = 1.0 / 8
    /// CPU times below this bound are not judged, in nanoseconds: the harness itself may take as long.
    private static let leastJudged = 1_000_000.0
    /// The number of records within which a driver reports progress, at the latest.
    static let progressInterval = 10_000

    /// Returns what is wrong with a fetch that was to be cancelled, but was not; empty if it may be complete.
    func missedCancellationProblems(_ expectation: FetchExpectation) -> [String] {
        guard let cancelAfterRecords, expectation.count >= cancelAfterRecords + Self.progressInterval else { return [] }
        return [
            "the fetch was not cancelled: the driver reported no progress of \(cancelAfterRecords) records, or nothing to "
                + "cancel with"
        ]
    }

    /// Returns what is wrong with a cancelled fetch; empty if nothing is.
    func cancellationProblems(_ outcome: PhaseOutcome, _ expectation: FetchExpectation) throws -> [String] {
        guard outcome.observations.cancelAnswer != nil else {
            return ["the fetch completed despite its cancellation"]
        }
        let count = outcome.fetched?.count ?? 0
        if count > 0 { return ["a cancelled fetch handed over \(count) records; expected none"] }
        let found = outcome.observations.found
        if found > expectation.count {
            return ["the driver reported progress of \(found) records; the fetch finds \(expectation.count)"]
        }
        return try completionProblems(outcome, expectation)
    }

    /// Lets the same fetch finish, while the clock does not run, and compares.
    private func completionProblems(_ outcome: PhaseOutcome, _ expectation: FetchExpectation) throws -> [String] {
        let session = try outcome.session.offering((any AsynchronousFetchingSession).self)
        var complete = self
        complete.cancelAfterRecords = nil
        let before = outcome.probe.sample().cpuNanoseconds
        let fetched = try session.fetchAsynchronously(complete, monitor: PhaseMonitor())
        let after = outcome.probe.sample().cpuNanoseconds
        var digester = expectation.makeDigester()
        try fetched.digest(into: &digester)
        if let problem = expectation.discrepancy(in: digester) {
            return ["the same fetch after the cancelled one: \(problem)"]
        }
        guard let before, let after, let cpu = outcome.cpu else { return [] }
        let share = Double(outcome.observations.found) / Double(max(expectation.count, 1))
        let least = Double(after - before) * share * Self.leastPart
        guard least >= Self.leastJudged, Double(cpu) < least else { return [] }
        return [
            "the cancelled fetch took \(Figure.duration(Double(cpu))) of CPU time to find \(outcome.observations.found) "
                + "records; expected \(Figure.duration(least)) or more, a part of what a complete fetch took"
        ]
    }
}
