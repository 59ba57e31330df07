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

    /// The number of seconds after which the session of a killed client is ended. A lock that it waits for is mostly
    /// free before, since the other clients are dead, too.
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
    mutating func makeStore() throws {
        // What becomes of the server from now on is known later.
        _ = try begin()
        try server.stager(of: configuration).empty()
    }

    func removeStore() throws { try server.removeStores(below: configuration.directory) }

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

    private mutating func note(_ now: (epoch: String, wasAway: Bool)) -> Bool {
        defer { epoch = now.epoch }
        return now.wasAway || epoch != nil && epoch != now.epoch
    }

    /// Calls `body` until it succeeds, or until it is clear that it does not.
    ///
    /// - Returns: What `body` returns, and whether the server was away before.
    private func insist<Value>(_ body: () throws -> Value) throws(RunError) -> (Value, Bool) {
        let begin = clock.now()
        var wasAway = false
        while true {
            do {
                return (try body(), wasAway)
            } catch {
                wasAway = wasAway || server.isOutage(error)
                let isTooLate = Double(clock.now() - begin) / 1e9 >= Double(patience)
                if isTooLate || interruption.isRequested { throw failure(error, isTooLate: isTooLate) }
            }
            LoadPacer.sleep(Self.pause)
        }
    }

    private func failure(_ error: any Error, isTooLate: Bool) -> RunError {
        let when: String
        if server.isOutage(error) {
            when = isTooLate ? "did not come back within \(patience) seconds" : "was away at the end"
        } else {
            when = "could not be asked" + (isTooLate ? " within \(patience) seconds" : " at the end")
        }
        return RunError(
            .process,
            "the server of \(driver) \(when), so that the store could not be audited; if it is still away, the store "
                + "stays in \(place); the last error: \(error)")
    }
}
