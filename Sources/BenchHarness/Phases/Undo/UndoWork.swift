/// Takes back changes that are not saved, step by step, from the last to the first.
public struct UndoWork: Sendable, Equatable, Codable {
    /// The new values to take back, by attribute name.
    public var set: [AttributeChange]
    /// The filter of the records to change; nil means all.
    public var filter: FilterSpec?
    /// The number of records that one step changes.
    public var stepSize: Int

    /// Creates the work.
    public init(set: [AttributeChange], filter: FilterSpec? = nil, stepSize: Int = 1) {
        self.set = set
        self.filter = filter
        self.stepSize = stepSize
    }
}

extension Phase.Work {
    /// Takes back changes that are not saved.
    public static func undo(_ work: UndoWork) -> Phase.Work { Phase.Work(work) }
}

/// A session whose context takes changes back.
public protocol UndoingSession: StoreSession {
    /// Loads the records, makes the changes in them without saving, a step for each ``UndoWork/stepSize`` records and
    /// for the rest, and returns the records, which show their values at the time. Called before the clock starts.
    func prepareUndo(_ work: UndoWork) throws -> any FetchedRecords
    /// Takes back the latest step that was not taken back, on ``StoreSession/queue``. Called while the clock runs, once
    /// for each step.
    func undo() throws
}

extension Capability {
    static let undoing = Capability(name: "UndoingSession", lack: "it takes no changes back") {
        $0 is any UndoingSession.Type
    }
}

extension UndoWork {
    static let kind = PhaseKind(
        "undo", "Takes back changes that are not saved, step by step, with a latency of each step.", allowsFiles: true,
        keys: [
            .required("set", .changes), .optional("filter", .filter),
            .optional("step_records", .records, "The number of records that a step changes; 1 if omitted."),
        ]
    ) { object, start in
        let filter = start.filter(object)
        let size = object["step_records"]?.integer()
        guard let set = object["set"]?.changes(of: start.entity) else { return nil }
        return UndoWork(set: set, filter: filter, stepSize: size ?? 1)
    }
}
