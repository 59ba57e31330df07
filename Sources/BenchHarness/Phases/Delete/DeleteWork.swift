import Dispatch

/// Deletes records.
public struct DeleteWork: Sendable, Equatable, Codable {
    /// The way in which records are deleted.
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// Loads every record before the clock starts, deletes each, then saves all at once.
        case perObject = "per_object"
        /// Runs one statement in the store, and loads nothing.
        case batch
    }

    /// The way in which records are deleted.
    public var mode: Mode
    /// The filter of the records to delete; nil means all.
    public var filter: FilterSpec?
    /// The number of records to delete, the first ones in the order of ``sort``; nil deletes all that match. Optional,
    /// since older files lack it.
    public var limit: Int?
    /// The order whose first records are deleted; nil without a limit. No two records are equal in all keys. Optional,
    /// since older files lack it.
    public var sort: [SortSpec]?

    /// Creates the work.
    public init(mode: Mode, filter: FilterSpec? = nil, sort: [SortSpec] = [], limit: Int = 0) {
        self.mode = mode
        self.filter = filter
        self.limit = limit > 0 ? limit : nil
        self.sort = limit > 0 ? sort : nil
    }

    /// The fetch that finds the records to delete.
    public var fetch: FetchWork { FetchWork(mode: .sync, sort: sort ?? [], filter: filter, limit: limit ?? 0) }
}

extension Phase.Work {
    /// Deletes records.
    public static func delete(_ work: DeleteWork) -> Phase.Work { Phase.Work(work) }
}

/// A session that deletes records.
public protocol DeletingSession: StoreSession {
    /// Loads the records that a per-object deletion deletes and holds them until ``StoreSession/finish()``. Called
    /// before the clock starts, and only for ``DeleteWork/Mode-swift.enum/perObject``.
    func prepareDeletion(_ work: DeleteWork) throws
    /// Deletes the prepared records, or those that ``DeleteWork/fetch`` finds, and follows the rules of the
    /// relationships to them: ``Schema/Relationship/deleteRule``. Called while the clock runs.
    ///
    /// - Throws: ``DeniedDeletion`` if a rule denies the deletion; then the store stays as it is.
    func delete(_ work: DeleteWork) throws
}

/// The refusal of a deletion by the rule ``ReferenceSpec/DeleteRule/deny`` of a relationship that leads to a record.
public struct DeniedDeletion: Error, Sendable, Equatable {
    /// Creates the error.
    public init() {}
}

extension Capability {
    static let deleting = Capability(name: "DeletingSession", lack: "it deletes no records") {
        $0 is any DeletingSession.Type
    }
}

extension DeleteWork: PhaseWork, SingleWork {
    static let kind = PhaseKind(
        "delete", "Deletes records.", allowsFiles: true,
        keys: [
            .required(
                "mode", .choice(Mode.self),
                "per_object loads all before the clock starts and saves once; batch is one statement."),
            .optional("filter", .filter, "The records to delete; all if omitted."),
            .optional(
                "sort", .sort,
                "The order whose first records are deleted, with a limit; the last attribute is unique."),
            .optional(
                "limit", .records,
                "The number of records to delete, the first ones of the order; all that match if omitted."),
        ]
    ) { object, start in
        let filter = start.filter(object)
        let limit = object["limit"]?.integer()
        let sort = object["sort"]?.totalSort(by: start.entity, of: "a deletion of the first records")
        if (object["sort"] == nil) != (object["limit"] == nil) {
            let (given, missing) = object["sort"] == nil ? ("limit", "sort") : ("sort", "limit")
            object[given]?.refuse("a deletion with \(given) alone", expected: "\(missing) too")
        }
        guard let mode: Mode = object["mode"]?.choice("deletion mode") else { return nil }
        return DeleteWork(mode: mode, filter: filter, sort: sort ?? [], limit: limit ?? 0)
    }

    var modeName: String { mode.rawValue }
    var capabilities: [Capability] { [.deleting] }
    var decidingAttributes: [String]? { sort?.map(\.key) ?? [] }
    var deletesRecords: Bool { true }
    var deletesRelated: Bool { true }

    func scaled(_ scale: Scaling) -> Self {
        var work = self
        work.limit = limit.map(scale.count)
        return work
    }

    /// A plan of a merge, like seeding, counts on every ordinal.
    func state(after state: StoreState, seeding records: Int?) -> StoreState {
        let left = filter == nil ? state.records.map { max($0 - (limit ?? $0), 0) } : nil
        var state = state
        (state.records, state.isAltered) = (left, true)
        if filter != nil { state.countLostIn = "a deletion with a filter, which leaves an unknown number of records" }
        return state
    }

    func queue(of session: any DeletingSession) -> DispatchQueue { session.queue }

    func prepare(_ session: any DeletingSession, _ scenario: Scenario) throws {
        if mode == .perObject { try session.prepareDeletion(self) }
    }

    func perform(
        _ session: any DeletingSession, _ preparation: Void, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)? {
        // The expected store tells whether it had to be denied.
        do { try session.delete(self) } catch is DeniedDeletion {}
        return nil
    }

    func apply(to expected: inout ExpectedStore, _ preparation: Void, _ scenario: Scenario) -> Int? {
        let found = min(expected.count(matching: filter), limit ?? .max)
        return expected.delete(by: ExpectedDeletion(self, in: expected)) ? found : 0
    }

    func problems(_ outcome: PhaseOutcome, _ preparation: Void) throws -> [String] { try outcome.storeProblems() }
}

/// A deletion with resolved names.
struct ExpectedDeletion: ExpectedStep {
    private let filter: RecordFilter?
    /// The order, and the keys of the last record to delete; nil if all that match are deleted.
    private let last: (order: RecordOrder, keys: [FieldValue])?

    init(_ work: DeleteWork, in store: ExpectedStore) {
        let (entity, targets) = (store.generator.entity, store.targets)
        let filter = work.filter.map { RecordFilter($0, in: store) }
        self.filter = filter
        last = work.limit.flatMap { limit in
            let order = RecordOrder(work.sort ?? [], entity: entity, targets: targets)
            return store.lastKeys(within: limit, order, filter).map { (order, $0) }
        }
    }

    func apply(to record: inout [FieldValue], _ ordinal: Int) -> ExpectedEffect {
        if let filter, !filter.matches({ [record] in record[$0] }, ordinal: ordinal) { return .none }
        guard let last else { return .deleted }
        return last.order.order(last.order.keys(of: record), last.keys) == .greater ? .none : .deleted
    }
}
