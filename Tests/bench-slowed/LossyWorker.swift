import BenchHarness

/// Acknowledges every write before it is done: it does it before its next operation, or when it is closed. Only the
/// death of its process shows it.
final class LossyWorker: LoadWorker {
    private let base: any LoadWorker
    private var held: LoadOperation?

    init(_ base: any LoadWorker) {
        self.base = base
    }

    func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
        try flush()
        guard operation.writes else { return try base.perform(operation, reading: &reading) }
        held = operation
        return .done
    }

    func close() throws {
        try flush()
        try base.close()
    }

    private func flush() throws {
        guard let operation = held else { return }
        var reading = LoadReading()
        while try base.perform(operation, reading: &reading) == .busy {}
        held = nil
    }
}
