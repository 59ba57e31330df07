import BenchDrivers
import BenchHarness
import ForwardingDriver
import Foundation

/// A driver of ManagedStore, of which one kind of phase takes a known share more CPU time.
struct StudyDriver: StoreDriver {
    /// The kind of phase that is slowed, as scenarios call it.
    let kind: String
    let slowdown: Slowdown
    private let base: any StoreDriver

    /// Every slowdown of the study, and the drivers as they are.
    static let all: [any StoreDriver] = StudiedStore.allCases.flatMap { store in
        [store.driver]
            + Slowdown.all.flatMap { slowdown in
                ["seed", "fetch", "update", "merge"].map {
                    StudyDriver(kind: $0, slowdown: slowdown, base: store.driver)
                }
            }
    }

    var name: String { Self.name(store: base.name, kind: kind, slowdown) }
    var summary: String { "\(base.name), its \(kind) \(slowdown.percent) % slower by \(slowdown.cause)" }
    var properties: [String: String] { base.properties }
    var server: (any StoreServer)? { base.server }
    var sessionType: any StoreSession.Type { StudySession.self }

    static func name(store: String, kind: String, _ slowdown: Slowdown) -> String {
        "\(store)-\(kind)-\(slowdown.percent)-\(slowdown.cause.rawValue)"
    }

    func unsupportedReason(for phase: Phase, in schema: Schema) -> String? {
        base.unsupportedReason(for: phase, in: schema)
    }

    // Both sides must start from the same store.
    func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? { base.planter(of: configuration) }

    func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        base.inspector(of: configuration)
    }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        StudySession(try base.open(configuration), kind: kind, slowdown, work: try slowdown.cause.work())
    }
}

/// Does other work after its own of one kind, until it has taken the given share more CPU time than that alone.
private final class StudySession: ForwardingSession {
    private let kind: String
    private let share: Double
    private let extra: any ExtraWork

    init(_ base: any StoreSession, kind: String, _ slowdown: Slowdown, work: any ExtraWork) {
        self.kind = kind
        share = Double(slowdown.percent) / 100
        extra = work
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
        extra.begin()
        defer { extra.end() }
        let cpu = ProcessorClock()
        let start = cpu.now()
        let value = try work()
        let now = cpu.now()
        let end = now + Int(Double(now - start) * share)
        while cpu.now() < end { extra.step() }
        return value
    }
}
