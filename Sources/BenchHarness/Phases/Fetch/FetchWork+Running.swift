import Dispatch

extension FetchWork: PhaseWork, SingleWork {
    var modeName: String { mode.rawValue }
    var usesSeveralCores: Bool { mode == .async }
    var changesStore: Bool { false }
    var decidingAttributes: [String]? { sort.map(\.key) }
    var startsCold: Bool { (cache ?? .warm) == .cold }
    var extent: RecordWalk.Extent {
        switch (touch, mode) {
        case (.none, _): .sample
        case (.all, .sync): .everything
        case (.all, .async): .slices
        }
    }
    var capabilities: [Capability] { [mode == .sync ? .fetching : .asynchronousFetching] }

    func scaled(_ scale: Scaling) -> Self {
        var work = self
        work.limit = scale.count(limit)
        // A fetch of more than one record can be cancelled before its last.
        let found = work.limit == 0 ? scale.records : min(work.limit, scale.records)
        work.cancelAfterRecords = cancelAfterRecords.map { max(1, min(scale.count($0), found - 1)) }
        return work
    }

    func perform(
        _ session: any StoreSession, _ preparation: Void, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)? {
        switch mode {
        case .sync: try session.offering((any FetchingSession).self).fetch(self, monitor: monitor)
        case .async:
            try session.offering((any AsynchronousFetchingSession).self).fetchAsynchronously(self, monitor: monitor)
        }
    }

    func apply(to expected: inout ExpectedStore, _ preparation: Void, _ scenario: Scenario) -> Int? { nil }

    func problems(_ outcome: PhaseOutcome, _ preparation: Void) throws -> [String] {
        let expectation = outcome.expected.expectation(for: self)
        if outcome.observations.wasCancelled { return try cancellationProblems(outcome, expectation) }
        // A fetch that ended before its cancellation is a complete one: the run did not measure a cancellation.
        var digester = expectation.makeDigester()
        let unread = try outcome.digestFetched(into: &digester)
        return missedCancellationProblems(expectation) + (expectation.discrepancy(in: digester).map { [$0] } ?? [])
            + unread
    }
}
