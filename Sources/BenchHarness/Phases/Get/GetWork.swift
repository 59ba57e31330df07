/// Fetches single records by their keys, one after another.
public struct GetWork: Sendable, Equatable, Codable {
    /// The number of fetches.
    public var count: Int
    /// Draws the records, with the same chance for each.
    public var seed: UInt64

    /// Creates the work.
    public init(count: Int, seed: UInt64 = 0) {
        self.count = count
        self.seed = seed
    }
}

extension Phase.Work {
    /// Fetches single records by their keys.
    public static func get(_ work: GetWork) -> Phase.Work { Phase.Work(work) }
}

/// A session that fetches single records by their keys.
public protocol GettingSession: StoreSession {
    /// Makes what stands for the records with `ordinals` in an application that knows them, such as object IDs, without
    /// reading them. Called before the clock starts.
    func prepareGets(_ ordinals: [Int]) throws
    /// Fetches the record with an ordinal by its key, on ``StoreSession/queue``; no record if it is not there. Called
    /// while the clock runs. The harness then reads every attribute, and lets go of the record.
    func get(_ ordinal: Int) throws -> any FetchedRecords
}

extension GettingSession {
    /// Makes nothing, for a store whose keys follow from the ordinals.
    public func prepareGets(_ ordinals: [Int]) {}
}

extension Capability {
    static let getting = Capability(name: "GettingSession", lack: "it fetches no single records") {
        $0 is any GettingSession.Type
    }
}

extension GetWork {
    static let kind = PhaseKind(
        "get", "Fetches single records by their keys, drawn from all of them, with a latency of each fetch.",
        allowsSubentities: true,
        keys: [.required("count", .integer(ScenarioLimits.gets), "Fetches, one after another.")]
    ) { object, start in
        if start.state.records == 0 {
            object.cursor.refuse("a get from a store without records", expected: "from seeded")
        }
        guard let count = object["count"]?.integer() else { return nil }
        return GetWork(count: count, seed: AttributeDraw.seed(start.seed, phase: start.name, attribute: "get"))
    }
}
