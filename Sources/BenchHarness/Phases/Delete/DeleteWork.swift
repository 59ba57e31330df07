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

    /// Creates the work.
    public init(mode: Mode, filter: FilterSpec? = nil) {
        self.mode = mode
        self.filter = filter
    }
}

/// A session that deletes records.
public protocol DeletingSession: StoreSession {
    /// Loads the records that a per-object deletion deletes and holds them until ``StoreSession/finish()``. Called
    /// before the clock starts, and only for ``DeleteWork/Mode-swift.enum/perObject``.
    func prepareDeletion(_ work: DeleteWork) throws
    /// Deletes the prepared records, or those that the filter lets through. Called while the clock runs.
    func delete(_ work: DeleteWork) throws
}

extension Capability {
    static let deleting = Capability(name: "DeletingSession", lack: "it deletes no records") {
        $0 is any DeletingSession.Type
    }
}

extension DeleteWork: SingleWork {
    static let kind = PhaseKind(
        name: "delete", shape: .phase("delete", required: ["mode"], optional: ["filter"])
    ) { object, start in
        let filter = object["filter"].flatMap { FilterReader(entity: start.entity).read($0) }
        guard let mode: Mode = object["mode"]?.choice("deletion mode") else { return nil }
        return .delete(DeleteWork(mode: mode, filter: filter))
    }

    var kind: PhaseKind { Self.kind }
    var modeName: String { mode.rawValue }
    var capabilities: [Capability] { [.deleting] }

    func scaled(_ scale: Scaling) -> Phase.Work { .delete(self) }

    /// A plan of a merge, like seeding, counts on every ordinal.
    func state(after state: StoreState, seeding records: Int?) -> StoreState {
        StoreState(records: filter == nil ? 0 : nil, isAltered: true, keysLostIn: state.keysLostIn)
    }

    func queue(of session: any DeletingSession) -> DispatchQueue { session.queue }

    func prepare(_ session: any DeletingSession, _ scenario: Scenario) throws {
        if mode == .perObject { try session.prepareDeletion(self) }
    }

    func perform(
        _ session: any DeletingSession, _ preparation: Void, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)? {
        try session.delete(self)
        return nil
    }

    func apply(to expected: inout ExpectedStore, _ preparation: Void, _ scenario: Scenario) -> Int? {
        let found = expected.count(matching: filter)
        expected.append(ExpectedDeletion(filter: filter, generator: expected.generator))
        return found
    }

    func problems(_ outcome: PhaseOutcome, _ preparation: Void) throws -> [String] { try outcome.storeProblems() }
}

/// A deletion with resolved names.
struct ExpectedDeletion: ExpectedStep {
    private let filter: RecordFilter?

    /// - Parameter generator: Makes the records; its entity has the names of their attributes.
    init(filter: FilterSpec?, generator: RecordGenerator) {
        self.filter = filter.map { RecordFilter($0, entity: generator.entity, owners: generator.owners) }
    }

    func apply(to record: inout [FieldValue], _ ordinal: Int) -> ExpectedEffect {
        guard let filter else { return .deleted }
        return filter.matches { [record] in record[$0] } ? .deleted : .none
    }
}
