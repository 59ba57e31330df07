/// Saves received records, some of which the store holds: a unique attribute tells which.
public struct UpsertWork: Sendable, Equatable, Codable {
    /// The number of received records.
    public var records: Int
    /// The share of them that the store lacks.
    public var newShare: Double
    /// Records per save; 0 saves once, at the end.
    public var saveEvery: Int
    /// Draws the records, and the values of those that the store holds.
    public var seed: UInt64

    /// Creates the work.
    public init(records: Int, newShare: Double = 0.5, saveEvery: Int = 0, seed: UInt64 = 0) {
        self.records = records
        self.newShare = newShare
        self.saveEvery = saveEvery
        self.seed = seed
    }

    /// The number of received records that the store lacks.
    var newRecords: Int { Int((Double(records) * newShare).rounded()) }
    /// The number of received records that the store holds.
    var knownRecords: Int { records - newRecords }
}

extension Phase.Work {
    /// Saves received records, some of which the store holds.
    public static func upsert(_ work: UpsertWork) -> Phase.Work { Phase.Work(work) }
}

/// A session that saves records which the store may hold already.
public protocol UpsertingSession: StoreSession {
    /// Saves at once the records with `ordinals` as `records` makes them. A record whose
    /// ``EntitySpec/uniqueAttribute`` has the value of a stored one replaces all values of that one, and counts up its
    /// version; any other is new. Called while the clock runs, once for each save, which is an operation with a
    /// latency.
    func upsert(_ ordinals: [Int], of records: RecordGenerator) throws
}

extension Capability {
    static let upserting = Capability(name: "UpsertingSession", lack: "it merges no records by a unique attribute") {
        $0 is any UpsertingSession.Type
    }
}

extension EntitySpec {
    /// The position of the only attribute that no two records have in common; nil if there is none, or several.
    public var uniqueAttribute: Int? {
        let unique = attributes.indices.filter { attributes[$0].isUnique }
        return unique.count == 1 ? unique[0] : nil
    }

    /// The position of the only attribute that no two records have in common.
    ///
    /// - Throws: `RunError` if there is none, or several.
    public func requireUniqueAttribute() throws(RunError) -> Int {
        if let attribute = uniqueAttribute { return attribute }
        let count = attributes.count(where: \.isUnique)
        throw RunError(
            .phase,
            "\(name) has \(count == 0 ? "no unique attribute" : "\(count) unique attributes"), and an upsert needs "
                + "exactly one: give one attribute \"unique\": true")
    }
}

extension UpsertWork {
    static let kind = PhaseKind(
        "upsert",
        "Saves received records, which replace those with the same unique value, with a latency of each save.",
        allowsSubentities: true,
        keys: [
            .required("records", .records, "The number of received records."),
            .optional(
                "new_share", .share,
                "The share of received records that the store lacks; half of them if omitted."),
            .saveEvery,
        ]
    ) { object, start in
        check(start, object)
        let share = object["new_share"]?.number()
        let saveEvery = object["save_every_records"]?.integer()
        guard let records = object["records"]?.integer() else { return nil }
        let work = UpsertWork(
            records: records, newShare: share ?? 0.5, saveEvery: saveEvery ?? 0,
            seed: AttributeDraw.seed(start.seed, phase: start.name, attribute: "upsert"))
        if let stored = start.state.records, stored > 0, work.knownRecords > stored {
            object["records"]?.refuse(
                "\(work.knownRecords.grouped) received records that the store holds",
                expected: "at most \(stored.grouped), the records in the store: fewer records, or a larger new_share")
        }
        return work
    }

    private static func check(_ start: PhaseStart, _ object: JSONObjectCursor) {
        if start.entity.isSound, start.entity.spec.uniqueAttribute == nil {
            object.cursor.refuse(
                "an upsert of \(start.entity.spec.name), whose records no unique attribute identifies, or several",
                expected: "one attribute with \"unique\": true")
        }
        // A phase before may have changed unique values, or deleted a record that arrives again.
        if let origin = start.origin, origin != .seeded {
            start.from?.refuse("an upsert into a store from \(origin.rawValue)", expected: "seeded")
        }
    }
}
