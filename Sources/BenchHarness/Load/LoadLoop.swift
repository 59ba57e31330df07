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
package struct LoadLoop {
    let pacer: LoadPacer
    let clock: any NanosecondClock
    let recorder: LoadRecorder
    /// The salt of the checksums of what operations read.
    var salt: UInt64 = 0

    /// The number of attempts after which a save that always meets a conflict is given up.
    private static let attempts = 1_000
    /// The number of successive failures after which a worker no longer has a usable store.
    package static let errorsInARow = 100

    /// Does operations until the load is over. The last one that it draws gets no turn.
    ///
    /// - Throws: The last of too many successive errors.
    func run(
        _ worker: any LoadWorker, _ source: inout some OperationSource, _ account: inout LoadAccount
    ) throws {
        var errors = 0
        var reading = LoadReading(salt: salt)
        // Each operation is drawn, with its values, before its turn: that is work of the harness, not of the store.
        var operation = source.next()
        while let turn = pacer.next() {
            if turn.isDropped {
                recorder.recordDrop(operation.kind)
                source.takeBack(operation)
            } else {
                do {
                    try perform(operation, at: turn, worker, &reading, &source, &account)
                    errors = 0
                } catch {
                    account.note(operation, reading, start: turn.begun, end: clock.now(), outcome: nil)
                    source.settle(operation, isDone: false)
                    recorder.recordError(operation.kind, "\(error)")
                    errors += 1
                    if errors >= Self.errorsInARow { throw error }
                }
                reading.reset()
            }
            operation = source.next()
        }
    }

    private func perform(
        _ operation: LoadOperation, at turn: LoadPacer.Turn, _ worker: any LoadWorker, _ reading: inout LoadReading,
        _ source: inout some OperationSource, _ account: inout LoadAccount
    ) throws {
        let outcome = try attempt(operation, worker, &reading)
        let end = clock.now()
        account.note(operation, reading, start: turn.begun, end: end, outcome: outcome)
        source.settle(operation, isDone: outcome == .done)
        recorder.record(
            operation.kind, response: end - turn.intended, service: end - turn.begun,
            isMissing: outcome == .missing, ledgerBytes: account.heapBytes)
    }

    /// Retries until the store accepts the operation, with growing waits, so that writers that collide once do not
    /// collide again.
    private func attempt(
        _ operation: LoadOperation, _ worker: any LoadWorker, _ reading: inout LoadReading
    ) throws -> LoadOutcome {
        for attempt in 1... {
            let outcome = try worker.perform(operation, reading: &reading)
            guard outcome == .conflict || outcome == .busy else { return outcome }
            if attempt == Self.attempts { throw RunError(.phase, "gave up after \(attempt) attempts: \(outcome)") }
            reading.reset()
            recorder.recordRetry(isConflict: outcome == .conflict)
            if attempt > 1 { LoadPacer.sleep(min(attempt, 20) * 50_000) }
        }
        preconditionFailure("a loop without an end has ended")
    }
}
