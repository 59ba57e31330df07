/// An operation of a driver's own, beyond the protocols of a session: a phase of kind `custom` names and runs it.
///
/// A driver lists its operations in ``StoreDriver/operations``. <doc:WritingADriver> shows a whole one.
public struct StoreOperation: Sendable {
    /// The effect on the store.
    public enum Effect: Sendable {
        /// It only reads. The harness verifies that the store holds after the phase what it held before.
        case reads
        /// It changes the store, and what it changes, only the driver knows. The harness verifies that the store is
        /// sound, and the driver's verification does the rest. No phase goes on from what the operation leaves: those
        /// that do are unsupported.
        case changes
    }

    /// The name, unique among the driver's operations, of letters, digits, `.`, `_` and `-`.
    public let name: String
    /// One line for `bench list`.
    public let summary: String
    /// The effect on the store.
    public let effect: Effect
    /// The parameters that a phase may set.
    public let parameters: [OperationParameter]
    private let definition: any OperationDefinition

    /// Creates an operation.
    ///
    /// - Parameters:
    ///   - name: The name, unique among the driver's operations.
    ///   - summary: One line for `bench list`.
    ///   - type: The type of the driver's sessions.
    ///   - effect: The effect on the store.
    ///   - parameters: The parameters that a phase may set.
    ///   - prepare: Loads what the runs need, once, before the clock starts. It must not change the store.
    ///   - run: Does the operation once, while the clock runs. What it returns is kept for the verification, so
    ///     return as little as that needs.
    ///   - verify: Returns what is wrong after all runs, one line each; empty if all is well. The clock does not run.
    public init<Session: StoreSession, Result>(
        _ name: String, _ summary: String, on type: Session.Type, effect: Effect,
        parameters: [OperationParameter] = [],
        prepare: (@Sendable (Session, OperationArguments) throws -> Void)? = nil,
        run: @escaping @Sendable (Session, OperationCall) throws -> Result,
        verify: @escaping @Sendable (Session, OperationOutcome<Result>) throws -> [String]
    ) {
        self.name = name
        self.summary = summary
        self.effect = effect
        self.parameters = parameters
        definition = TypedDefinition(prepare: prepare, run: run, verify: verify)
    }

    /// Starts a phase in a session.
    func begin(_ session: any StoreSession, _ arguments: OperationArguments) throws -> any RunningOperation {
        try definition.begin(session, arguments)
    }
}

/// What an operation does, in sessions of a type that only its driver knows.
private protocol OperationDefinition: Sendable {
    func begin(_ session: any StoreSession, _ arguments: OperationArguments) throws -> any RunningOperation
}

private struct TypedDefinition<Session: StoreSession, Result>: OperationDefinition {
    let prepare: (@Sendable (Session, OperationArguments) throws -> Void)?
    let run: @Sendable (Session, OperationCall) throws -> Result
    let verify: @Sendable (Session, OperationOutcome<Result>) throws -> [String]

    func begin(_ session: any StoreSession, _ arguments: OperationArguments) throws -> any RunningOperation {
        let session = try session.offering(Session.self)
        return TypedOperation(
            prepare: { try prepare?(session, arguments) }, run: { try run(session, $0) },
            verify: { try verify(session, $0) })
    }
}

/// An operation during one phase.
protocol RunningOperation: AnyObject {
    func prepare() throws
    /// Does the operation once, and keeps what it returns.
    func run(_ call: OperationCall) throws
    /// Returns what is wrong after all runs; empty if all is well.
    func problems(_ arguments: OperationArguments, _ outcome: PhaseOutcome) throws -> [String]
}

/// An operation in a session of a known type, whose runs return values of a known type.
private final class TypedOperation<Result>: RunningOperation {
    private let prepareRuns: () throws -> Void
    private let runOnce: (OperationCall) throws -> Result
    private let verify: (OperationOutcome<Result>) throws -> [String]
    private var results: [Result] = []

    init(
        prepare: @escaping () throws -> Void, run: @escaping (OperationCall) throws -> Result,
        verify: @escaping (OperationOutcome<Result>) throws -> [String]
    ) {
        prepareRuns = prepare
        runOnce = run
        self.verify = verify
    }

    func prepare() throws { try prepareRuns() }

    func run(_ call: OperationCall) throws { results.append(try runOnce(call)) }

    func problems(_ arguments: OperationArguments, _ outcome: PhaseOutcome) throws -> [String] {
        try verify(OperationOutcome(parameters: arguments, results: results, before: outcome.expected, outcome.witness))
    }
}
