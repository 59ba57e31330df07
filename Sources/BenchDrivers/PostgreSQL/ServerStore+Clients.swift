import BenchHarness
import Foundation

extension ServerStore {
    /// Returns when the server has ended all sessions that have the store open, by the name that they go by.
    ///
    /// A session outlives its client: it does what it has received, and only finds out when it is about to answer or to
    /// read on. A session in the list has ended its transaction before it leaves that.
    func awaitClients(seconds: Double) throws {
        let connection = try connectForUpkeep()
        if try isLeft(alone: connection, for: seconds) { return }
        try connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(schema)'")
        if try isLeft(alone: connection, for: Self.endingSeconds) { return }
        throw DriverError(
            .busy, "\(StoreAddress.name(address)): sessions of \(schema) do not end; pg_stat_activity lists them")
    }

    /// The number of seconds that a session may take to end when it is told to.
    private static let endingSeconds = 30.0

    /// Returns whether no session is left, at the latest after some seconds.
    private func isLeft(alone connection: ServerConnection, for seconds: Double) throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(schema)'"
        while try connection.integer(sql) != 0 {
            if ContinuousClock.now >= deadline { return false }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return true
    }
}
