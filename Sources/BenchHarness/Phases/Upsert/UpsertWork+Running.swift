import Dispatch

extension UpsertWork: PhaseWork {
    var capabilities: [Capability] { [.upserting] }
    var makesRecords: Bool { true }

    /// A scaled store still holds the records that it held, as far as it has as many.
    func scaled(_ scale: Scaling) -> Self {
        var work = self
        work.records = min(scale.count(records), scale.records)
        work.saveEvery = scale.count(saveEvery)
        return work
    }

    /// A plan of a merge, like seeding, counts on every ordinal.
    func state(after state: StoreState, seeding records: Int?) -> StoreState {
        var state = state
        (state.records, state.isAltered) = (state.records.map { $0 + newRecords }, true)
        state.keysLostIn = "an upsert, in which the store chooses the keys of new records"
        return state
    }

    func run(
        _ session: any StoreSession, in setting: PhaseSetting, expected: inout ExpectedStore, report: inout ReportDraft
    ) throws -> [String] {
        let received = ReceivedRecords(self, stored: expected.nextOrdinal, generator: expected.generator)
        return try received.run(session, in: setting, expected: &expected, report: &report)
    }
}

/// The work with the records that arrive.
private struct ReceivedRecords {
    let work: UpsertWork
    let known: Set<Int>
    let new: Range<Int>
    /// The ordinals of each save.
    let saves: [[Int]]
    /// Makes the values that arrive.
    let records: RecordGenerator

    /// Draws the known records with the same chance for each, and the order of all.
    init(_ work: UpsertWork, stored: Int, generator: RecordGenerator) {
        self.work = work
        var random = SplitMix64(state: work.seed)
        new = stored..<stored + work.newRecords
        known = Self.sample(min(work.knownRecords, stored), of: stored, using: &random)
        let order = (known.sorted() + Array(new)).shuffled(using: &random)
        saves = order.indices.parts(of: work.saveEvery).map { Array(order[$0]) }
        records = generator.revised(work.seed | 1)
    }

    /// Draws different numbers below `bound` (Floyd's algorithm).
    private static func sample(_ count: Int, of bound: Int, using random: inout SplitMix64) -> Set<Int> {
        var drawn: Set<Int> = []
        for last in bound - count..<bound where !drawn.insert(Int.random(in: 0...last, using: &random)).inserted {
            drawn.insert(last)
        }
        return drawn
    }
}

extension ReceivedRecords: SingleWork {
    func queue(of session: any UpsertingSession) -> DispatchQueue { session.queue }

    func perform(
        _ session: any UpsertingSession, _ preparation: Void, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)? {
        for save in saves { try monitor.operation { try session.upsert(save, of: records) } }
        return nil
    }

    func apply(to expected: inout ExpectedStore, _ preparation: Void, _ scenario: Scenario) -> Int? {
        expected.insert(new)
        expected.append(ExpectedUpsert(known: known, new: new, records: records))
        return known.count + new.count
    }

    func problems(_ outcome: PhaseOutcome, _ preparation: Void) throws -> [String] {
        // A save of known records alone may leave them as they are.
        let commits = saves.count { $0.contains(where: new.contains) }
        return try outcome.missingCommits(commits) + outcome.storeProblems()
    }
}

/// The values that arrived.
private struct ExpectedUpsert: ExpectedStep {
    let known: Set<Int>
    let new: Range<Int>
    let records: RecordGenerator

    func apply(to record: inout [FieldValue], _ ordinal: Int) -> ExpectedEffect {
        guard new.contains(ordinal) || known.contains(ordinal) else { return .none }
        var isChanged = false
        for attribute in record.indices {
            let value = records.value(attribute, ordinal)
            if value != record[attribute] { isChanged = true }
            record[attribute] = value
        }
        return new.contains(ordinal) ? .none : .saved(isChanged: isChanged)
    }
}
