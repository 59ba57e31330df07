import Dispatch

extension CustomWork: PhaseWork {
    var modeName: String { mode.rawValue }
    var estimatedSeconds: Double { durationSeconds ?? 0 }
    /// The driver's own operation may depend on any value.
    var decidingAttributes: [String]? { nil }

    /// Scales the number of runs with the records, of which there may be too few for all of them otherwise.
    func scaled(_ scale: Scaling) -> Self {
        var work = self
        work.count = count.map(scale.count)
        return work
    }

    func cut(to operations: Int) -> (work: any PhaseWork, operations: Int)? {
        var work = self
        let runs = min(count ?? operations, operations)
        (work.count, work.durationSeconds) = (runs, nil)
        return (work, runs)
    }

    func run(
        _ session: any StoreSession, in setting: PhaseSetting, expected: inout ExpectedStore, report: inout ReportDraft
    ) throws -> [String] {
        let operation = try operation(of: setting.witness.driver)
        let bound = BoundOperation(
            work: self, operation: operation, arguments: try OperationArguments(parameters, of: operation),
            seed: setting.operationSeed ?? seed)
        return try bound.run(session, in: setting, expected: &expected, report: &report)
    }

    /// Returns the operation that the work names.
    private func operation(of driver: any StoreDriver) throws(RunError) -> StoreOperation {
        let all = driver.operations
        if let operation = all.first(where: { $0.name == operation }) { return operation }
        guard !all.isEmpty else { throw RunError(.phase, "it has no operations of its own") }
        throw OperationArguments.unknown("operation", operation, of: "it", among: all.map(\.name))
    }

    /// Returns why `driver` cannot do the work: it has no such operation, or the operation no such parameters. Returns
    /// nil if it can.
    func mismatch(with driver: any StoreDriver) -> String? {
        do throws(RunError) {
            _ = try OperationArguments(parameters, of: operation(of: driver))
            return nil
        } catch {
            return error.description
        }
    }

    /// Whether the operation of `driver` changes the store.
    func changesStoreAlone(in driver: any StoreDriver) -> Bool {
        driver.operations.contains { $0.name == operation && $0.effect == .changes }
    }
}

/// The work with the operation that it names.
private struct BoundOperation {
    let work: CustomWork
    let operation: StoreOperation
    let arguments: OperationArguments
    /// Seeds the runs.
    let seed: UInt64
}

extension BoundOperation: SingleWork {

    func prepare(_ session: any StoreSession, _ scenario: Scenario) throws -> any RunningOperation {
        let running = try operation.begin(session, arguments)
        try running.prepare()
        return running
    }

    func perform(
        _ session: any StoreSession, _ running: any RunningOperation, _ scenario: Scenario, _ monitor: PhaseMonitor
    ) throws -> (any FetchedRecords)? {
        let end = work.durationSeconds.map { Int($0 * 1e9) } ?? .max
        var random = SplitMix64(state: seed)
        for number in 0..<(work.count ?? .max) {
            if number > 0, monitor.elapsed >= end { break }
            let call = OperationCall(
                parameters: arguments, number: number, random: SplitMix64(state: random.next()))
            try monitor.operation { try running.run(call) }
        }
        return nil
    }

    func apply(to expected: inout ExpectedStore, _ running: any RunningOperation, _ scenario: Scenario) -> Int? { nil }

    func problems(_ outcome: PhaseOutcome, _ running: any RunningOperation) throws -> [String] {
        let found = operation.effect == .reads ? try outcome.storeProblems() : try outcome.damage()
        return try found + running.problems(arguments, outcome)
    }
}
