import BenchDrivers
import BenchHarness
import ForwardingDriver

/// A driver of ours with one fault, which the suite must find.
struct WrongDriver: StoreDriver {
    let name: String
    let summary = "for tests"
    /// The checks that must fail, by the beginning of their names, and what the failure must say.
    let fails: [(check: String, says: String)]
    private let base: any StoreDriver
    private let type: @Sendable () -> any StoreSession.Type
    private let session: @Sendable (any StoreSession, RecordGenerator) -> any StoreSession

    /// - Parameter sessionType: Has the capabilities of the sessions that `session` makes.
    init(
        _ name: String, over base: any StoreDriver = SQLiteDriver(),
        sessionType: @autoclosure @escaping @Sendable () -> any StoreSession.Type = ForwardingSession.self,
        fails: [(check: String, says: String)],
        session: @escaping @Sendable (any StoreSession, RecordGenerator) -> any StoreSession
    ) {
        self.name = name
        self.base = base
        self.type = sessionType
        self.fails = fails
        self.session = session
    }

    var sessionType: any StoreSession.Type { type() }

    func obstacle(to feature: Schema.Feature) -> String? { base.obstacle(to: feature) }

    func unsupportedReason(for phase: Phase, in schema: Schema) -> String? {
        base.unsupportedReason(for: phase, in: schema)
    }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        session(try base.open(configuration), configuration.records)
    }
}
