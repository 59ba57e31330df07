/// The requirements of a kind of work, so that the harness can read, scale, run and judge it.
///
/// Each kind is a conforming type in its own folder; ``Phase/Work`` and ``PhaseKind/all`` list them.
protocol PhaseWork: Sendable {
    /// The description of the kind.
    var kind: PhaseKind { get }
    /// The mode as in the scenario file and the CSV; empty for a kind without modes.
    var modeName: String { get }
    /// The number of threads that run its operations at once.
    var lanes: Int { get }
    /// Whether several threads work at the same time: then the time on one core says nothing of that on all of them.
    var usesSeveralCores: Bool { get }
    /// The changes to the attributes of records.
    var changes: [AttributeChange] { get }
    /// The condition of the records that it is about; nil for all, and for work without conditions.
    var filter: FilterSpec? { get }
    /// The capabilities that a session needs.
    var capabilities: [Capability] { get }
    /// Whether a phase that continues from this one depends on its success.
    var changesStore: Bool { get }
    /// Whether the work knows records by keys that follow from their ordinals, or draws values by them.
    var usesKeys: Bool { get }
    /// Whether the work makes records, which lead to others.
    var makesRecords: Bool { get }
    /// Whether the work begins without pages of the store in the page cache.
    var startsCold: Bool { get }

    /// Returns the work with scaled numbers of records.
    func scaled(_ scale: Scaling) -> Phase.Work

    /// Returns the work cut to the operations that a turn of `bench ab` does, or fewer if the work has fewer, and their
    /// number.
    ///
    /// The number of records alone decides how long other work takes, and it is not divisible: a turn does all of it
    /// once, on a store that was restored before. Such work returns nil.
    func cut(to operations: Int) -> (work: Phase.Work, operations: Int)?

    /// Returns the state that the work leaves, as far as it is known in advance; `records` is the number of seeded
    /// records.
    func state(after state: StoreState, seeding records: Int?) -> StoreState

    /// Prepares, measures and verifies the work in an open session, and applies its expected effects to `expected`.
    ///
    /// - Returns: What is wrong with the outcome; empty if all is well.
    func run(
        _ session: any StoreSession, in setting: PhaseSetting, expected: inout ExpectedStore, report: inout ReportDraft
    ) throws -> [String]
}

/// Work that opens the store while the clock runs.
protocol OpeningWork: PhaseWork {
    /// Opens the closed store, measures and verifies the work, and applies its expected effects to `expected`.
    ///
    /// - Returns: What is wrong with the outcome; empty if all is well.
    func run(
        opening open: () throws -> any StoreSession, in setting: PhaseSetting, expected: inout ExpectedStore,
        report: inout ReportDraft
    ) throws -> [String]
}

extension OpeningWork {
    func run(
        _ session: any StoreSession, in setting: PhaseSetting, expected: inout ExpectedStore, report: inout ReportDraft
    ) throws -> [String] {
        try run(opening: { session }, in: setting, expected: &expected, report: &report)
    }
}

extension PhaseWork {
    var modeName: String { "" }
    var lanes: Int { 1 }
    var usesSeveralCores: Bool { lanes > 1 }
    var changes: [AttributeChange] { [] }
    var filter: FilterSpec? { nil }
    var capabilities: [Capability] { [] }
    var changesStore: Bool { true }
    var usesKeys: Bool { changes.contains { if case .draw = $0.operation { true } else { false } } }
    var makesRecords: Bool { false }
    var startsCold: Bool { false }

    func cut(to operations: Int) -> (work: Phase.Work, operations: Int)? { nil }
    func state(after state: StoreState, seeding records: Int?) -> StoreState { state }
}

/// The description of a kind of phase.
struct PhaseKind: Sendable {
    /// The keys of such a phase: its own, and those that every phase has.
    let shape: ObjectShape
    /// Whether it may work on the records of a file, whose number and keys are not known in advance.
    let allowsFiles: Bool
    /// Whether two runs of the same program have equal counters; not if threads contend.
    let isExact: Bool
    /// Reads the work of such a phase; returns nil after an error.
    let read: @Sendable (JSONObjectCursor, PhaseStart) -> Phase.Work?

    /// The kind as in scenarios and the CSV.
    var name: String { shape.name }

    /// - Parameter isOfAll: Whether it is about the whole store, and names no entity.
    init(
        _ name: String, _ help: String, allowsFiles: Bool = false, isOfAll: Bool = false, isExact: Bool = true,
        keys: [ObjectShape.Key], read: @escaping @Sendable (JSONObjectCursor, PhaseStart) -> Phase.Work?
    ) {
        let first: [ObjectShape.Key] = [
            .required("name", .fileNamePart), .required("kind", .constant(.string(name))),
            .required("from", allowsFiles ? .source : .origin),
        ]
        shape = ObjectShape(
            name, help,
            keys: first + (isOfAll ? [] : [.optional("entity", .phaseEntity)]) + keys
                + [.optional("thresholds_percent", .object(.thresholds))])
        (self.allowsFiles, self.isExact, self.read) = (allowsFiles, isExact, read)
    }

    /// Every kind, in the order of the documentation.
    static let all = [
        SeedWork.kind, FetchWork.kind, ReopenWork.kind, GetWork.kind, PageWork.kind, InsertWork.kind, UpsertWork.kind,
        UpdateWork.kind, UndoWork.kind, DeleteWork.kind, CountWork.kind, AggregateWork.kind, MergeWork.kind,
        LoadWork.savesKind, LoadWork.mixedKind, CheckpointWork.kind, CustomWork.kind,
    ]

    /// Whether it may be in a scenario with subentities, where keys are not known in advance either: what may work on a
    /// file, and what makes records.
    var allowsSubentities: Bool { allowsFiles || [SeedWork.kind.name, InsertWork.kind.name].contains(name) }

    /// Whether two runs of a phase of this kind in a mode do the same work: not one that goes on for some time.
    func isExact(_ mode: String) -> Bool {
        isExact && (name != CustomWork.kind.name || mode != CustomWork.Mode.timed.rawValue)
    }

    /// Returns the kind with a name; nil if there is none.
    static func named(_ name: String) -> PhaseKind? { all.first { $0.name == name } }
}

/// A change of the number of records of a scenario.
struct Scaling {
    /// The factor of numbers of records.
    let factor: Double
    /// The number of records of the smallest store that the scaled phases start from.
    let records: Int
    /// The entity of that store.
    let entity: EntitySpec

    /// Returns the scaled count: at least 1 if it was, at most the limit of a scenario.
    func count(_ count: Int) -> Int {
        guard count > 0 else { return count }
        let product = (Double(count) * factor).rounded()
        return Int(min(max(product, 1), Double(ScenarioLimits.records.upperBound)))
    }
}
