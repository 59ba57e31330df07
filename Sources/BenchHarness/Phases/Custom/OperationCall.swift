/// One run of a ``StoreOperation``.
public struct OperationCall: Sendable {
    /// The values of the operation's parameters.
    public let parameters: OperationArguments
    /// The number of runs of the phase before this one.
    public let number: Int
    /// Draws what this run works on: the same in each repetition and for each driver, and other numbers in each run.
    public let random: SplitMix64
}

/// The outcome of all runs of a ``StoreOperation`` in a phase, for its verification.
public struct OperationOutcome<Result> {
    /// The values of the operation's parameters.
    public let parameters: OperationArguments
    /// What each run returned, in order.
    public let results: [Result]
    private let before: ExpectedStore
    private let witness: StoreWitness

    init(parameters: OperationArguments, results: [Result], before: ExpectedStore, _ witness: StoreWitness) {
        self.parameters = parameters
        self.results = results
        self.before = before
        self.witness = witness
    }

    /// The entity of the scenario, with the positions of its attributes.
    public var entity: EntitySpec { before.generator.entity }

    /// Hands over the values of each record that the store held when the phase began, in the order of the entity's
    /// attributes. The harness knows them by itself, and reads nothing.
    public func forEachRecordBefore(_ body: ([FieldValue]) -> Void) {
        before.forEachRecord { body($0) }
    }

    /// Hands over each record that the store's files hold now, in any order: the driver's inspector reads them.
    ///
    /// - Throws: `RunError` if the driver has no inspector, and what the inspector throws.
    public func forEachRecord(_ body: (StoredRecord) -> Void) throws {
        guard let inspector = witness.inspector else {
            throw RunError(.phase, "\(witness.driver.name) has no inspector to read its records; declare one")
        }
        try inspector.forEachRecord(body)
    }
}
