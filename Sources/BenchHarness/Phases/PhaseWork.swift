/// Work that a phase runs.
protocol RunnableWork: Sendable {
    /// Whether the work begins without pages of the store in the page cache.
    var startsCold: Bool { get }

    /// Prepares, measures and verifies the work in an open session, and applies its expected effects to `expected`.
    ///
    /// - Returns: What is wrong with the outcome; empty if all is well.
    func run(
        _ session: any StoreSession, in setting: PhaseSetting, expected: inout ExpectedStore, report: inout ReportDraft
    ) throws -> [String]
}

/// A kind of work, which the harness can read, scale, run and judge.
///
/// Each kind is a conforming type in its own folder; ``PhaseKind/types`` lists them. What the harness does differently
/// for some kinds, it asks here.
protocol PhaseWork: RunnableWork, Equatable, Codable {
    /// The description of the kind.
    static var kind: PhaseKind { get }
    /// The kinds of phases that have such work: one, unless scenarios write it in several ways.
    static var kinds: [PhaseKind] { get }
    /// The name of the kind in the files of runs.
    static var codingName: String { get }

    /// The description of the work's kind.
    var kind: PhaseKind { get }
    /// The mode as in the scenario file and the CSV; empty for a kind without modes.
    var modeName: String { get }
    /// The number of threads that run its operations at once.
    var lanes: Int { get }
    /// Whether several threads work at the same time: then the time on one core says nothing of that on all of them.
    var usesSeveralCores: Bool { get }
    /// Whether it is a load, whose operations have response times of their own.
    var isLoad: Bool { get }
    /// The seconds that operations whose number or duration is given take, roughly; 0 if the records decide.
    var estimatedSeconds: Double { get }
    /// The changes to the attributes of records.
    var changes: [AttributeChange] { get }
    /// The names of the attributes and relationships that it changes.
    var changedMembers: [String] { get }
    /// The condition of the records that it is about; nil for all, and for work without conditions.
    var filter: FilterSpec? { get }
    /// The attributes on whose values the amount of work depends, besides those of the filter; nil if any may be one.
    var decidingAttributes: [String]? { get }
    /// The capabilities that a session needs.
    var capabilities: [Capability] { get }
    /// Whether a phase that continues from this one depends on its success.
    var changesStore: Bool { get }
    /// Whether the work knows records by keys that follow from their ordinals, or draws values by them.
    var usesKeys: Bool { get }
    /// Whether it makes all records of a seeded store.
    var seedsStore: Bool { get }
    /// Whether the work makes records, which lead to others.
    var makesRecords: Bool { get }
    /// Whether the records that it makes may have relationships to many, and places in an order.
    var makesEveryRelationship: Bool { get }
    /// Whether it deletes records that the store held before.
    var deletesRecords: Bool { get }
    /// Whether a deletion also deletes the records that belong to the deleted ones.
    var deletesRelated: Bool { get }

    /// Returns the work with scaled numbers of records.
    func scaled(_ scale: Scaling) -> Self

    /// Returns the work cut to the operations that a turn of `bench ab` does, or fewer if the work has fewer, and their
    /// number.
    ///
    /// The number of records alone decides how long other work takes, and it is not divisible: a turn does all of it
    /// once, on a store that was restored before. Such work returns nil.
    func cut(to operations: Int) -> (work: any PhaseWork, operations: Int)?

    /// Returns the state that the work leaves, as far as it is known in advance; `records` is the number of seeded
    /// records.
    func state(after state: StoreState, seeding records: Int?) -> StoreState

    /// Returns why `driver` cannot do the work although its sessions have the capabilities; nil if it can.
    func mismatch(with driver: any StoreDriver) -> String?

    /// Returns whether the work changes the store in a way that `driver` alone knows.
    func changesStoreAlone(in driver: any StoreDriver) -> Bool
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

extension RunnableWork {
    var startsCold: Bool { false }
}

extension PhaseWork {
    static var kinds: [PhaseKind] { [kind] }
    static var codingName: String { kind.name }

    var kind: PhaseKind { Self.kind }
    var modeName: String { "" }
    var lanes: Int { 1 }
    var usesSeveralCores: Bool { lanes > 1 }
    var isLoad: Bool { false }
    var estimatedSeconds: Double { 0 }
    var changes: [AttributeChange] { [] }
    var changedMembers: [String] { changes.map(\.attribute) }
    var filter: FilterSpec? { nil }
    var decidingAttributes: [String]? { [] }
    var capabilities: [Capability] { [] }
    var changesStore: Bool { true }
    var usesKeys: Bool { drawsValues }
    /// Whether it draws the values of attributes.
    var drawsValues: Bool { changes.contains { if case .draw = $0.operation { true } else { false } } }
    var seedsStore: Bool { false }
    var makesRecords: Bool { false }
    var makesEveryRelationship: Bool { false }
    var deletesRecords: Bool { false }
    var deletesRelated: Bool { false }

    func scaled(_ scale: Scaling) -> Self { self }
    func cut(to operations: Int) -> (work: any PhaseWork, operations: Int)? { nil }
    func state(after state: StoreState, seeding records: Int?) -> StoreState { state }
    func mismatch(with driver: any StoreDriver) -> String? { nil }
    func changesStoreAlone(in driver: any StoreDriver) -> Bool { false }
}

/// The description of a kind of phase.
package struct PhaseKind: Sendable {
    /// What a phase is about.
    enum Scope {
        /// The records of one entity, which the phase may name.
        case entity
        /// The whole store.
        case store
        /// The whole store, in the session of the phase before where it goes on from that.
        case session
    }

    /// The keys of such a phase: its own, and those that every phase has.
    let shape: ObjectShape
    /// What it is about.
    let scope: Scope
    /// Whether it may work on the records of a file, whose number and keys are not known in advance.
    let allowsFiles: Bool
    /// Whether it may be about an entity with subentities.
    let allowsSubentities: Bool
    /// Whether two runs of the same program have equal counters; not if threads contend.
    private let isExact: Bool
    /// The modes in which it goes on for some time, so that no two runs do the same.
    private let timedModes: [String]
    /// Reads the work of such a phase; returns nil after an error.
    let read: @Sendable (JSONObjectCursor, PhaseStart) -> (any PhaseWork)?

    /// The kind as in scenarios and the CSV.
    package var name: String { shape.name }

    /// Creates a description.
    ///
    /// - Parameter allowsSubentities: As with files, if nil.
    init(
        _ name: String, _ help: String, scope: Scope = .entity, allowsFiles: Bool = false,
        allowsSubentities: Bool? = nil, isExact: Bool = true, timedModes: [String] = [], keys: [ObjectShape.Key] = [],
        read: @escaping @Sendable (JSONObjectCursor, PhaseStart) -> (any PhaseWork)?
    ) {
        let first: [ObjectShape.Key] = [
            .required("name", .fileNamePart), .required("kind", .constant(.string(name))),
            .required("from", allowsFiles ? .source : .origin),
        ]
        shape = ObjectShape(
            name, help,
            keys: first + (scope == .entity ? [.optional("entity", .phaseEntity)] : []) + keys
                + [.optional("thresholds_percent", .object(.thresholds))])
        (self.scope, self.allowsFiles) = (scope, allowsFiles)
        self.allowsSubentities = allowsSubentities ?? allowsFiles
        (self.isExact, self.timedModes, self.read) = (isExact, timedModes, read)
    }

    /// Every kind of work, in the order of the documentation. This list is the only one.
    static let types: [any PhaseWork.Type] = [
        SeedWork.self, FetchWork.self, ReopenWork.self, GetWork.self, PageWork.self, InsertWork.self, UpsertWork.self,
        UpdateWork.self, UndoWork.self, DeleteWork.self, CountWork.self, AggregateWork.self, MergeWork.self,
        LoadWork.self, CheckpointWork.self, CustomWork.self,
    ]

    /// Every kind of phase.
    static let all = types.flatMap { $0.kinds }

    /// Whether two runs of a phase of this kind in a mode do the same work.
    func isExact(_ mode: String) -> Bool { isExact && !timedModes.contains(mode) }

    /// Returns the kind with a name; nil if there is none.
    static func named(_ name: String) -> PhaseKind? { all.first { $0.name == name } }
}

/// A change of the number of records of a scenario.
struct Scaling {
    /// The factor of numbers of records.
    let factor: Double
    /// The number of records of the smallest store that the scaled phases start from.
    let records: Int
    /// The entities of that store; the focus is that of the work.
    let schema: Schema
    var entity: EntitySpec { schema.entity.record }
    /// The seed of the scenario, which decides the kinds of records.
    var seed: UInt64 = 0

    /// Returns the scaled count: at least 1 if it was, at most the limit of a scenario.
    func count(_ count: Int) -> Int {
        guard count > 0 else { return count }
        let product = (Double(count) * factor).rounded()
        return Int(min(max(product, 1), Double(ScenarioLimits.records.upperBound)))
    }

    /// Returns the number of a record that a relationship leads to. There may be fewer such records: a number beyond
    /// the last becomes the last one's.
    func number(_ number: Int64, of relationship: String) -> Int64 {
        schema.relationship(relationship).flatMap { schema.ordinals($0, seed: seed).last }
            .map { min(number, Int64($0) + 1) } ?? number
    }

    /// Returns the changes, of which some have records lead to others.
    func changes(_ changes: [AttributeChange]) -> [AttributeChange] {
        let toOnes = entity.toOnes.map(\.relationship)
        return changes.map { change in
            guard toOnes.contains(change.attribute), case .assign(.int64(let number)) = change.operation else {
                return change
            }
            var change = change
            change.operation = .assign(.int64(self.number(number, of: change.attribute)))
            return change
        }
    }
}
