import BenchDrivers
import BenchHarness
import ForwardingDriver

/// Acknowledges writes before the server has them on storage. Only a crash of the server tells.
struct HastyDriver: StoreDriver {
    private let base = PostgreSQLDriver()

    let name = "hasty-postgres"
    let summary = "Loses writes to a crash of the server"

    var sessionType: any StoreSession.Type { ForwardingSession.self }
    var server: (any StoreServer)? { base.server }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        var configuration = configuration
        configuration.options.synchronous = .off
        return ForwardingSession(try base.open(configuration))
    }
}
