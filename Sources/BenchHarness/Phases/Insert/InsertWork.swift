/// Adds records to a store that holds some.
public struct InsertWork: Sendable, Equatable, Codable {
    /// The number of new records.
    public var records: Int
    /// Records per save; 0 saves once, at the end.
    public var saveEvery: Int

    /// Creates the work.
    public init(records: Int, saveEvery: Int = 0) {
        self.records = records
        self.saveEvery = saveEvery
    }
}

extension Phase.Work {
    /// Adds records to a store that holds some.
    public static func insert(_ work: InsertWork) -> Phase.Work { Phase.Work(work) }
}

/// A session that adds records to a store that holds some.
public protocol InsertingSession: StoreSession {
    /// Creates the records with `ordinals` and saves them at once. The ordinals follow those of every record that the
    /// store ever held. Relationships lead to records that the store holds. Called while the clock runs, once for each
    /// save, which is an operation with a latency.
    func insert(_ ordinals: Range<Int>) throws
}

extension Capability {
    static let inserting = Capability(name: "InsertingSession", lack: "it adds no records to others") {
        $0 is any InsertingSession.Type
    }
}

extension InsertWork {
    static let kind = PhaseKind(
        "insert", "Adds records to those of the store, with a latency of each save.",
        allowsSubentities: true,
        keys: [
            .required("records", .records, "The number of new records, which come after all others."), .saveEvery,
        ]
    ) { object, start in
        if start.state.records == 0 {
            object.cursor.refuse(
                "an insert into a store without records", expected: "from seeded, or a phase of the kind seed")
        }
        let saveEvery = object["save_every_records"]?.integer()
        guard let records = object["records"]?.integer() else { return nil }
        let most = ScenarioLimits.records.upperBound
        if let stored = start.state.records, stored + records > most {
            object["records"]?.refuse(
                "\(records.grouped) records beside \(stored.grouped)",
                expected: "at most \(most.grouped) records in the store")
        }
        return InsertWork(records: records, saveEvery: saveEvery ?? 0)
    }
}
