import BenchDrivers
import BenchHarness
import ForwardingDriver

/// Acknowledges every write before it is done: it does it before the worker's next operation, or when the worker is
/// closed. Only who kills the process finds out.
struct LossyDriver: StoreDriver {
    let base: any StoreDriver
    let name: String
    let summary = "Loses writes"

    var sessionType: any StoreSession.Type { LossySession.self }
    var server: (any StoreServer)? { base.server }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        LossySession(try base.open(configuration))
    }
}

private final class LossySession: ForwardingSession {
    override func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker {
        LossyWorker(try super.makeLoadWorker(index, work))
    }
}

private final class LossyWorker: LoadWorker {
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
