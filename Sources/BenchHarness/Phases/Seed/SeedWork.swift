/// Creates the scenario's records and saves them.
public struct SeedWork: Sendable, Equatable, Codable {
    /// Records per save; 0 saves once, at the end.
    public var saveEvery: Int

    /// Creates the work.
    public init(saveEvery: Int = 0) {
        self.saveEvery = saveEvery
    }

    /// Returns the ordinals of each save of an entity's records.
    public func saves(of records: Int) -> [Range<Int>] { (0..<records).parts(of: saveEvery) }
}

extension Phase.Work {
    /// Creates records.
    public static func seed(_ work: SeedWork) -> Phase.Work { Phase.Work(work) }
}

extension SeedWork: PhaseWork, SingleWork {
    static let kind = PhaseKind(
        "seed", "Creates the records and saves them.", scope: .store, allowsSubentities: true, keys: [.saveEvery]
    ) { object, start in
        if let records = start.state.records, records != 0 || start.state.isAltered {
            // Ordinals identify records: a second seed would duplicate each of them.
            start.from?.refuse("a seed phase that starts with records", expected: "empty")
        }
        return SeedWork(saveEvery: object["save_every_records"]?.integer() ?? 0)
    }

    var seedsStore: Bool { true }

    func state(after state: StoreState, seeding records: Int?) -> StoreState { StoreState(records: records) }

    func scaled(_ scale: Scaling) -> Self { SeedWork(saveEvery: scale.count(saveEvery)) }

    func perform(
        _ session: any StoreSession, _ preparation: Void, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)? {
        try session.seed(self, records: scenario.records, monitor: monitor)
        return nil
    }

    func apply(to expected: inout ExpectedStore, _ preparation: Void, _ scenario: Scenario) -> Int? {
        expected.seed(records: scenario.records)
        return scenario.recordsOfAll
    }

    func problems(_ outcome: PhaseOutcome, _ preparation: Void) throws -> [String] {
        // Each entity has saves of its own, so that this is the least number of them.
        let least = outcome.expected.schema.leadsToLaterRecords ? 1 : saves(of: outcome.records ?? 0).count
        return try outcome.missingSaves(least) + outcome.storeProblems()
    }
}

extension ObjectShape.Key {
    static let saveEvery = optional("save_every_records", .records, "Records per save; one save at the end if omitted.")
}
