extension LoadWork: PhaseWork {
    static var kind: PhaseKind { mixedKind }
    static var kinds: [PhaseKind] { [savesKind, mixedKind] }
    static var codingName: String { "load" }

    var kind: PhaseKind { saves == nil ? Self.mixedKind : Self.savesKind }
    var modeName: String { saves?.mode.rawValue ?? "" }
    var lanes: Int { workers }
    var usesSeveralCores: Bool { workers > 1 || isWatched }
    var isLoad: Bool { true }
    var capabilities: [Capability] { isWatched ? [.loading, .watching] : [.loading] }

    /// The time of the load itself, or what its operations take.
    var estimatedSeconds: Double {
        let operations = pace.operations.map { Double($0) * Self.secondsOfAnOperation }
        return min(pace.durationSeconds ?? .infinity, operations ?? .infinity)
    }
    var decidingAttributes: [String]? { saves?.sort.map(\.key) ?? [] }

    var makesRecords: Bool {
        switch source {
        case .mix(let mix): mix.operations[.insert, default: 0] > 0
        case .saves(let saves): saves.insertsPerSave > 0
        }
    }

    /// Whether workers delete records, which they have inserted themselves.
    var deletesItsOwn: Bool {
        switch source {
        case .mix(let mix): mix.operations[.delete, default: 0] > 0
        case .saves(let saves): saves.deletesPerSave > 0
        }
    }

    /// Whether a context is notified of the saves.
    var isWatched: Bool { (saves?.mode ?? .unobserved) != .unobserved }

    /// Scales records and operations; times and rates do not depend on the records.
    func scaled(_ scale: Scaling) -> Self {
        var work = self
        work.pace.operations = pace.operations.map(scale.count)
        switch source {
        case .mix(var spec):
            if case .hotSet(let hot, let share) = spec.keys {
                spec.keys = .hotSet(records: min(scale.count(hot), scale.records), share: share)
            }
            work.source = .mix(spec)
        case .saves(var spec):
            spec.hotRecords = min(scale.count(spec.hotRecords), scale.records)
            spec.windowRecords = scale.count(spec.windowRecords)
            spec.changesPerSave = min(
                spec.changesPerSave, Self.changesMax(spec, records: scale.records, workers: workers))
            work.source = .saves(spec)
        }
        return work
    }

    /// Returns the load as a closed loop that ends after a number of operations: a turn is too short for a rate, a
    /// duration, samples, and limits on percentiles.
    func cut(to operations: Int) -> (work: any PhaseWork, operations: Int)? {
        let count = min(pace.operations ?? operations, operations)
        var work = self
        work.pace = PaceSpec(operations: count, sampleSeconds: Self.secondsWithoutSample)
        // The number of operations that may fail is a condition of the load, however short it is.
        work.limits = limits.compactMapValues { limit in limit.errors.map { LimitSpec(errors: $0) } }
        work.abortsEarly = false
        return (work, count)
    }

    /// Takes the rate of a load that it is a cut of, with as many operations as fit into a turn.
    mutating func keepPace(of whole: LoadWork) {
        guard var rate = whole.pace.rate else { return }
        // A turn is over before a rate has risen.
        rate.ramp = nil
        pace.rate = rate
        pace.operations = pace.operations.map { min($0, max(Int(rate.perSecond * Self.pacedTurnSeconds), workers)) }
    }

    /// Long enough for a percentile, and so short that the machine stays the same for both sides.
    private static let pacedTurnSeconds = 0.1
    /// Longer than any turn.
    private static let secondsWithoutSample = 3_600.0

    /// Returns how many distinct records one save can change.
    static func changesMax(_ spec: SaveSpec, records: Int, workers: Int) -> Int {
        let hot = min(spec.hotRecords, records)
        let part = (records - hot) / max(workers, 1)
        if part == 0 { return hot }
        return (spec.contention < 1 ? part : 0) + (spec.contention > 0 ? hot : 0)
    }

    /// Returns the state after the load: it depends on how far the workers came, and only their ledgers record that.
    func state(after state: StoreState, seeding records: Int?) -> StoreState {
        StoreState(records: state.records, isLoaded: true)
    }

    func run(
        _ session: any StoreSession, in setting: PhaseSetting, expected: inout ExpectedStore, report: inout ReportDraft
    ) throws -> [String] {
        try LoadPhaseRunner(work: self, setting: setting).run(session, expected: expected, report: &report)
    }
}
