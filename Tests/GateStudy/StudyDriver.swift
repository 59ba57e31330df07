import BenchDrivers
import BenchHarness
import ForwardingDriver
import Foundation

/// The managed driver, of which one kind of phase takes a known share more CPU time.
struct StudyDriver: StoreDriver {
    /// The kind of phase that is slowed, as scenarios call it.
    let kind: String
    /// By how many per cent.
    let percent: Int
    private let base = ManagedDriver()

    /// Every slowdown of the study, and the driver as it is.
    static let all: [any StoreDriver] =
        [ManagedDriver()]
        + StudyVariant.slowdowns.flatMap { percent in
            ["seed", "fetch", "update", "merge"].map { StudyDriver(kind: $0, percent: percent) }
        }

    var name: String { Self.name(kind: kind, percent: percent) }
    var summary: String { "\(base.name), its \(kind) \(percent) % slower" }
    var properties: [String: String] { base.properties }
    var sessionType: any StoreSession.Type { StudySession.self }

    static func name(kind: String, percent: Int) -> String { "managed-\(kind)-\(percent)" }

    func unsupportedReason(for phase: Phase, in schema: Schema) -> String? {
        base.unsupportedReason(for: phase, in: schema)
    }

    // Both sides must start from the same store.
    func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? { base.planter(of: configuration) }

    func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        base.inspector(of: configuration)
    }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        StudySession(try base.open(configuration), kind: kind, share: Double(percent) / 100)
    }
}

/// Computes on after its work of one kind, until it has taken the given share more CPU time than the work alone.
private final class StudySession: ForwardingSession {
    private let kind: String
    private let share: Double

    init(_ base: any StoreSession, kind: String, share: Double) {
        self.kind = kind
        self.share = share
        super.init(base)
    }

    override func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {
        try slowed("seed") { try super.seed(work, records: records, monitor: monitor) }
    }

    override func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try slowed("fetch") { try super.fetch(work, monitor: monitor) }
    }

    override func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        try slowed("update") { try super.update(work, monitor: monitor) }
    }

    override func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try slowed("merge") { try super.merge(plan, monitor: monitor) }
    }

    private func slowed<Value>(_ kind: String, _ work: () throws -> Value) rethrows -> Value {
        guard kind == self.kind else { return try work() }
        let cpu = ProcessorClock()
        let start = cpu.now()
        let value = try work()
        let now = cpu.now()
        let end = now + Int(Double(now - start) * share)
        while cpu.now() < end {}
        return value
    }
}
