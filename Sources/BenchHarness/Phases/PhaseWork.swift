/// What the harness must know of a kind of work to read, scale, run and judge it.
///
/// Each kind is a type that conforms, in a folder of its own; ``Phase/Work`` and ``PhaseKind/all`` list them.
protocol PhaseWork: Sendable {
    /// What can be known of the kind by its name.
    var kind: PhaseKind { get }
    /// The mode as the scenario file and the CSV spell it; empty for a kind without modes.
    var modeName: String { get }
    /// How many threads do its operations at once.
    var lanes: Int { get }
    /// What it does to the attributes of records.
    var changes: [AttributeChange] { get }
    /// What a session must be able to do beyond what every session can.
    var capabilities: [Capability] { get }
    /// Whether a phase that goes on from what this one left depends on its success.
    var changesStore: Bool { get }

    /// Makes the counts that are a share of the records follow them.
    func scaled(_ scale: Scaling) -> Phase.Work

    /// What the work leaves in a store, as far as that is known before it is done; `records` is how many a seed makes.
    func state(after state: StoreState, seeding records: Int?) -> StoreState

    /// Prepares, measures and verifies the work in an open session, and notes in `expected` what it must have done.
    ///
    /// - Returns: What is wrong with the outcome; empty when all is well.
    func run(
        _ session: any StoreSession, in setting: PhaseSetting, expected: inout ExpectedStore, report: inout PhaseReport
    ) throws -> [String]
}

extension PhaseWork {
    var modeName: String { "" }
    var lanes: Int { 1 }
    var changes: [AttributeChange] { [] }
    var capabilities: [Capability] { [] }
    var changesStore: Bool { true }

    func state(after state: StoreState, seeding records: Int?) -> StoreState { state }
}

/// What is known of a kind of phase by its name.
struct PhaseKind: Sendable {
    /// The kind as scenarios and the CSV spell it.
    let name: String
    /// The keys of such a phase.
    let shape: ObjectShape
    /// Whether it may work on records that belong to owners.
    var allowsOwners = true
    /// Whether two runs of the same program count the same: not where threads meet.
    var isExact = true
    /// Reads what such a phase does; nil when something is wrong with it, which is noted.
    let read: @Sendable (JSONObjectCursor, PhaseStart) -> Phase.Work?

    /// Every kind, in the order of the documentation.
    static let all = [
        SeedWork.kind, FetchWork.kind, UpdateWork.kind, MergeWork.kind, LoadWork.savesKind, LoadWork.mixedKind,
        CheckpointWork.kind,
    ]

    /// The kind with a name; nil when there is none.
    static func named(_ name: String) -> PhaseKind? { all.first { $0.name == name } }
}

/// By how much the records of a scenario become more or fewer.
struct Scaling {
    /// What numbers of records are multiplied by.
    let factor: Double
    /// The records of the smallest store that phases then start from.
    let records: Int
    /// The entity of the scaled scenario.
    let entity: EntitySpec

    /// The same share of the records: at least 1 if it was, at most what a scenario may have.
    func count(_ count: Int) -> Int {
        guard count > 0 else { return count }
        let product = (Double(count) * factor).rounded()
        return Int(min(max(product, 1), Double(ScenarioLimits.records.upperBound)))
    }
}
