import Dispatch

/// Counts records, without reading them.
public struct CountWork: Sendable, Equatable, Codable {
    /// The filter of the records to count; nil means all.
    public var filter: FilterSpec?

    /// Creates the work.
    public init(filter: FilterSpec? = nil) {
        self.filter = filter
    }
}

extension Phase.Work {
    /// Counts records.
    public static func count(_ work: CountWork) -> Phase.Work { Phase.Work(work) }
}

/// A session that counts records.
public protocol CountingSession: StoreSession {
    /// Returns the number of records that the filter lets through, on ``StoreSession/queue``. Called while the clock
    /// runs.
    func count(_ work: CountWork) throws -> Int
}

extension Capability {
    static let counting = Capability(name: "CountingSession", lack: "it counts no records") {
        $0 is any CountingSession.Type
    }
}

extension CountWork: PhaseWork, SingleWork {
    static let kind = PhaseKind(
        "count", "Counts records without reading them.", allowsFiles: true,
        keys: [.optional("filter", .filter, "The records to count; all if omitted.")]
    ) { object, start in
        CountWork(filter: start.filter(object))
    }

    var capabilities: [Capability] { [.counting] }
    var changesStore: Bool { false }

    func queue(of session: any CountingSession) -> DispatchQueue { session.queue }

    func perform(
        _ session: any CountingSession, _ preparation: Void, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)? {
        CountedRecords(count: try session.count(self))
    }

    func apply(to expected: inout ExpectedStore, _ preparation: Void, _ scenario: Scenario) -> Int? { nil }

    func problems(_ outcome: PhaseOutcome, _ preparation: Void) throws -> [String] {
        let wanted = outcome.expected.count(matching: filter)
        let found = outcome.fetched?.count ?? 0
        return found == wanted ? [] : ["it counted \(found) records; expected \(wanted)"]
    }
}

/// Records of which only the number is known.
private struct CountedRecords: FetchedRecords {
    let count: Int
    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) throws {}
}
