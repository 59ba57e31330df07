import BenchCommand
import BenchHarness
import Dispatch
import Testing

/// The names of the drivers that a program gives to its command.
@Suite struct DriverNameTests {
    @Test func driversWithOneNameAreRefused() async {
        let twice = BenchCommand(drivers: [NamedDriver(name: "mine"), NamedDriver(name: "mine")])
        #expect(await twice.run(arguments: ["bench", "list"]) == .usage)
        let different = BenchCommand(drivers: [NamedDriver(name: "mine"), NamedDriver(name: "yours")])
        #expect(await different.run(arguments: ["bench", "list"]) == .success)
    }
}

/// A driver with a name and nothing else.
private struct NamedDriver: StoreDriver {
    let name: String
    let summary = "for tests"
    var sessionType: any StoreSession.Type { NoSession.self }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession { NoSession() }
}

private final class NoSession: StoreSession {
    let queue = DispatchQueue(label: "none")
    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws {}
    func finish() {}
    func counters() throws -> StoreCounters { StoreCounters() }
    func resetCounters() {}
    func scan(into digester: inout RecordDigester) throws {}
    func checkIntegrity() throws -> [String] { [] }
    func close() throws {}
}
