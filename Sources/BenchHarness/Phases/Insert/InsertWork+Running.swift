import Dispatch

extension InsertWork: PhaseWork {
    var capabilities: [Capability] { [.inserting] }
    var makesRecords: Bool { true }
    var makesEveryRelationship: Bool { true }

    func scaled(_ scale: Scaling) -> Self {
        InsertWork(records: scale.count(records), saveEvery: scale.count(saveEvery))
    }

    /// A plan of a merge, like seeding, counts on every ordinal.
    func state(after state: StoreState, seeding seeded: Int?) -> StoreState {
        var state = state
        (state.records, state.isAltered) = (state.records.map { $0 + records }, true)
        return state
    }

    func run(
        _ session: any StoreSession, in setting: PhaseSetting, expected: inout ExpectedStore, report: inout ReportDraft
    ) throws -> [String] {
        let first = expected.nextOrdinal
        let placed = PlacedInserts(work: self, ordinals: first..<first + records)
        return try placed.run(session, in: setting, expected: &expected, report: &report)
    }
}

/// The work with the ordinals of the new records.
private struct PlacedInserts {
    let work: InsertWork
    let ordinals: Range<Int>

    /// The records of each save.
    var saves: [Range<Int>] { ordinals.parts(of: work.saveEvery) }
}

extension PlacedInserts: SingleWork {
    func queue(of session: any InsertingSession) -> DispatchQueue { session.queue }

    func perform(
        _ session: any InsertingSession, _ preparation: Void, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)? {
        for save in saves { try monitor.operation { try session.insert(save) } }
        return nil
    }

    func apply(to expected: inout ExpectedStore, _ preparation: Void, _ scenario: Scenario) -> Int? {
        expected.insert(ordinals)
        return ordinals.count
    }

    func problems(_ outcome: PhaseOutcome, _ preparation: Void) throws -> [String] {
        try outcome.missingCommits(saves.count) + outcome.storeProblems()
    }
}
