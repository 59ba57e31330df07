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
    /// What the server last answered; nil before the first answer.
    private var epoch: String?
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

    /// Waits until the server can be reached.
    ///
    /// - Returns: Whether it has been away since it was last asked about.
    mutating func begin() throws -> Bool { try note(insist { try server.epoch }) }

    /// Waits until the server has ended all that killed processes began.
    ///
    /// - Returns: Whether it has been away since it was last asked about.
    mutating func settle() throws -> Bool {
        try note(
            insist {
                try server.awaitClients(of: configuration, seconds: Self.sessionSeconds)
                return try server.epoch
            })
    }

    private mutating func note(_ now: (epoch: String, attempts: Int)) -> Bool {
        defer { epoch = now.epoch }
        return now.attempts > 1 || epoch != nil && epoch != now.epoch
    }

    /// Calls `body` until it succeeds, or until it is clear that the server does not come back.
    private func insist<Value>(_ body: () throws -> Value) throws(RunError) -> (Value, Int) {
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
