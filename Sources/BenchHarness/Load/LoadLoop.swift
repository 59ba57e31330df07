/// The source of the operations of one worker.
protocol OperationSource {
    /// Returns the next operation.
    mutating func next() -> LoadOperation
    /// Notes the outcome of an operation.
    mutating func settle(_ operation: LoadOperation, isDone: Bool)
    /// Takes back an operation that was dropped: later ones can use its records.
    mutating func takeBack(_ operation: LoadOperation)
}

extension LoadSource: OperationSource {}

/// The loop of one worker: one operation after another, each at its turn.
struct LoadLoop {
    let pacer: LoadPacer
    let clock: any NanosecondClock
    let recorder: LoadRecorder

    /// The number of attempts after which a save that always meets a conflict is given up.
    private static let attempts = 1_000
    /// The number of successive failures after which a worker no longer has a usable store.
    private static let errorsInARow = 100

    /// Does operations until the load is over. The last one that it draws gets no turn.
    ///
    /// - Throws: The last of too many successive errors.
    func run(
        _ worker: any LoadWorker, _ source: inout some OperationSource, _ ledger: inout Ledger
    ) throws {
        var errors = 0
        // Each operation is drawn before its turn: drawing it is work of the harness, not of the store.
        var operation = source.next()
        while let turn = pacer.next() {
            if turn.isDropped {
                recorder.recordDrop(operation.kind)
                source.takeBack(operation)
            } else {
                do {
                    try perform(operation, at: turn, worker, &source, &ledger)
                    errors = 0
                } catch {
                    ledger.note(operation, start: turn.begun, end: clock.now(), isAcknowledged: false)
                    source.settle(operation, isDone: false)
                    recorder.recordError(operation.kind, "\(error)")
                    errors += 1
                    if errors >= Self.errorsInARow { throw error }
                }
            }
            operation = source.next()
        }
    }

    private func perform(
        _ operation: LoadOperation, at turn: LoadPacer.Turn, _ worker: any LoadWorker,
        _ source: inout some OperationSource, _ ledger: inout Ledger
    ) throws {
        let outcome = try attempt(operation, worker)
        let end = clock.now()
        if outcome == .done { ledger.note(operation, start: turn.begun, end: end, isAcknowledged: true) }
        source.settle(operation, isDone: outcome == .done)
        recorder.record(
            operation.kind, response: end - turn.intended, service: end - turn.begun,
            isMissing: outcome == .missing, ledgerBytes: ledger.heapBytes)
    }

    /// Retries until the store accepts the operation, with growing waits, so that writers that collide once do not
    /// collide again.
    private func attempt(_ operation: LoadOperation, _ worker: any LoadWorker) throws -> LoadOutcome {
        for attempt in 1... {
            let outcome = try worker.perform(operation)
            guard outcome == .conflict || outcome == .busy else { return outcome }
            if attempt == Self.attempts { throw RunError(.phase, "gave up after \(attempt) attempts: \(outcome)") }
            recorder.recordRetry(isConflict: outcome == .conflict)
            if attempt > 1 { LoadPacer.sleep(min(attempt, 20) * 50_000) }
        }
        preconditionFailure("a loop without an end has ended")
    }
}
