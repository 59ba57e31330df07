/// The server of a store under torture. It may still do what a killed process asked for, and it may go away.
///
/// Only clients are killed. If the server is restarted or crashes meanwhile, operations fail, which is no fault of the
/// store then; but what was acknowledged must be there afterwards.
struct TorturedServer {
    private let server: any StoreServer
    private let driver: String
    private let configuration: StoreConfiguration
    /// The number of seconds to wait for a server that went away.
    private let patience: Int
    private let interruption: Interruption
    private var epoch = ""
    private let clock = MonotonicClock()

    /// The number of seconds after which the session of a killed client is ended. A lock that it waits for is free
    /// before: those who hold it are dead, too.
    private static let sessionSeconds = 30.0
    private static let pause = 100_000_000

    init(
        _ server: any StoreServer, of job: TortureJob, patience: Int, _ interruption: Interruption
    ) {
        (self.server, driver, configuration) = (server, job.driver, job.configuration)
        (self.patience, self.interruption) = (patience, interruption)
    }

    /// Where the store is, in words.
    var place: String { server.place(of: configuration) }

    /// Makes the store, without content.
    func makeStore() throws { try server.stager(of: configuration).empty() }

    /// Removes the store, as far as the server can be reached.
    func removeStore() { try? server.removeStores(below: configuration.directory) }

    /// Notes what ``wasAway()`` is about.
    mutating func begin() throws { epoch = try insist { try server.epoch }.value }

    /// Waits until the server has ended all that killed processes began, and returns whether it has been away since
    /// ``begin()``.
    func settle() throws -> Bool {
        let (now, attempts) = try insist {
            try server.awaitClients(of: configuration, seconds: Self.sessionSeconds)
            return try server.epoch
        }
        return now != epoch || attempts > 1
    }

    /// Calls `body` until it succeeds, or until it is clear that the server does not come back.
    private func insist<Value>(_ body: () throws -> Value) throws(RunError) -> (value: Value, attempts: Int) {
        let begin = clock.now()
        for attempt in 1... {
            do {
                return (try body(), attempt)
            } catch {
                let isTooLate = Double(clock.now() - begin) / 1e9 >= Double(patience)
                if isTooLate || interruption.isRequested { throw failure(error, isTooLate: isTooLate) }
            }
            LoadPacer.sleep(Self.pause)
        }
        preconditionFailure("a loop without an end has ended")
    }

    private func failure(_ error: any Error, isTooLate: Bool) -> RunError {
        let when = isTooLate ? "did not come back within \(patience) seconds" : "was away at the end"
        return RunError(
            .process,
            "the server of \(driver) \(when), so that the store could not be audited; it stays in \(place); the last "
                + "error: \(error)")
    }
}
