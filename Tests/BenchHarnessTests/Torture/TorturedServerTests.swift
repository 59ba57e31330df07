import Foundation
import Locking
import Testing

@testable import BenchHarness

/// What torture does about a server that goes away.
@Suite struct TorturedServerTests {
    private let server = FakeServer()
    private let interruption = Interruption()

    private func tortured(patience: Int = 60) -> TorturedServer {
        let scenario = Scenario(
            name: "s", records: 1, entity: EntitySpec(name: "Item", attributes: []), phases: [])
        let job = TortureJob(
            scenario: scenario, phase: 0, driver: "fake", lane: 0, seconds: 0, store: "/stores/one", journals: "",
            parent: 0)
        return TorturedServer(server, of: job, patience: patience, interruption)
    }

    @Test func aServerThatStaysIsNotAway() throws {
        var tortured = tortured()
        #expect(try !tortured.begin())
        #expect(try !tortured.settle())
        #expect(server.state.value.awaited == ["/stores/one"])
    }

    @Test func aServerWithAnotherEpochWasAway() throws {
        var tortured = tortured()
        #expect(try !tortured.begin())
        server.state.withLock { $0.epoch = "second" }
        #expect(try tortured.settle())
        #expect(try !tortured.settle())
        server.state.withLock { $0.epoch = "third" }
        #expect(try tortured.begin())
        #expect(try !tortured.begin())
    }

    @Test func aServerThatIsOutOfReachIsAwaited() throws {
        var tortured = tortured()
        #expect(try !tortured.begin())
        server.state.withLock { $0.failures = 3 }
        #expect(try tortured.settle())
        #expect(server.state.value.failures == 0)
    }

    /// As many connections, or sessions that do not end.
    @Test func aServerThatAnswersWithAnErrorIsNotAway() throws {
        var tortured = tortured()
        #expect(try !tortured.begin())
        server.state.withLock { ($0.failures, $0.isAway) = (3, false) }
        #expect(try !tortured.settle())
        server.state.withLock { $0.failures = .max }
        var impatient = self.tortured(patience: 0)
        let error = #expect(throws: RunError.self) { try impatient.begin() }
        #expect(error?.description.contains("the server of fake could not be asked within 0 seconds") == true)
    }

    @Test func aServerThatStaysAwayIsOneClearError() throws {
        server.state.withLock { $0.failures = .max }
        var tortured = tortured(patience: 0)
        let error = #expect(throws: RunError.self) { try tortured.begin() }
        let text = try #require(error).description
        #expect(text.contains("the server of fake did not come back within 0 seconds"))
        #expect(text.contains("the store stays in the schema one; the last error: away"))
    }

    @Test func aRequestToStopDoesNotWait() {
        server.state.withLock { $0.failures = .max }
        interruption.request()
        var tortured = tortured()
        let error = #expect(throws: RunError.self) { try tortured.begin() }
        #expect(error?.description.contains("was away at the end") == true)
    }
}

/// Fails a number of times.
private final class FakeServer: StoreServer {
    struct State {
        var epoch = "first"
        var failures = 0
        var isAway = true
        var awaited: [String] = []
    }

    private struct Away: Error, CustomStringConvertible {
        let description = "away"
    }

    let state = Locked(State())

    var problem: String? { nil }

    var epoch: String {
        get throws {
            try fail()
            return state.value.epoch
        }
    }

    private func fail() throws {
        let isAway = state.withLock { state in
            if state.failures > 0 { state.failures -= 1 }
            return state.failures > 0
        }
        if isAway { throw Away() }
    }

    func isOutage(_ error: any Error) -> Bool { state.value.isAway }
    func stager(of configuration: StoreConfiguration) -> any StoreStager { StoreStage(directory: "/stores") }
    func place(of configuration: StoreConfiguration) -> String { "the schema one" }
    func awaitClients(of configuration: StoreConfiguration, seconds: Double) throws {
        try fail()
        state.withLock { $0.awaited.append(configuration.directory.path) }
    }
    func removeStores(below directory: URL) throws {}
}
