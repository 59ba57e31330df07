import BenchHarness
import ForwardingDriver

/// Acknowledges every fifth write without doing it.
class Losing: ForwardingSession {
    override func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker {
        LosingWorker(try super.makeLoadWorker(index, work))
    }
}

/// Does so where a context is told of saves.
final class LosingWatched: Losing, WatchingSession {
    private let watching: any WatchingSession

    override init(_ base: any StoreSession) {
        guard let watching = base as? any WatchingSession else { preconditionFailure("\(base) watches no load") }
        self.watching = watching
        super.init(base)
    }

    func prepareLoad(_ work: LoadWork, monitor: LoadMonitor) throws {
        try watching.prepareLoad(work, monitor: monitor)
    }
    func endLoad() throws { try watching.endLoad() }
    func checkLoad() throws -> [String] { try watching.checkLoad() }
}

private final class LosingWorker: LoadWorker {
    private let base: any LoadWorker
    private var writes = 0

    init(_ base: any LoadWorker) { self.base = base }

    func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
        if operation.writes { writes += 1 }
        return operation.writes && writes % 5 == 0 ? .done : try base.perform(operation, reading: &reading)
    }

    func close() throws { try base.close() }
}

/// Fails at reading.
final class FailingReads: ForwardingSession {
    override func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker {
        FailingWorker(try super.makeLoadWorker(index, work))
    }
}

private final class FailingWorker: LoadWorker {
    private struct Failure: Error, CustomStringConvertible {
        let description = "told to fail"
    }

    private let base: any LoadWorker

    init(_ base: any LoadWorker) { self.base = base }

    func perform(_ operation: LoadOperation, reading: inout LoadReading) throws -> LoadOutcome {
        if operation.kind == .read { throw Failure() }
        return try base.perform(operation, reading: &reading)
    }

    func close() throws { try base.close() }
}
