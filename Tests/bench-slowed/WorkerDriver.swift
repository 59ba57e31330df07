import BenchDrivers
import BenchHarness
import ForwardingDriver

/// A driver that does all that another one does, but for the workers of its loads.
struct WorkerDriver: StoreDriver {
    let base: any StoreDriver
    let name: String
    let summary: String
    /// In place of the scenario's, if it is set.
    var synchronous: StoreOptions.Synchronous?
    var makeWorker: @Sendable (any LoadWorker) -> any LoadWorker = { $0 }

    var sessionType: any StoreSession.Type { WorkerSession.self }
    var server: (any StoreServer)? { base.server }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        var configuration = configuration
        if let synchronous { configuration.options.synchronous = synchronous }
        return WorkerSession(try base.open(configuration), makeWorker)
    }
}

private final class WorkerSession: ForwardingSession {
    private let makeWorker: @Sendable (any LoadWorker) -> any LoadWorker

    init(_ base: any StoreSession, _ makeWorker: @escaping @Sendable (any LoadWorker) -> any LoadWorker) {
        self.makeWorker = makeWorker
        super.init(base)
    }

    override func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker {
        makeWorker(try super.makeLoadWorker(index, work))
    }
}
