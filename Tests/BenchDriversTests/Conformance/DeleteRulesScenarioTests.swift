import Foundation
import MemoryDriver
import TestSupport
import Testing

@testable import BenchDrivers
@testable import BenchHarness
@testable import DriverConformance

/// Deletions of records to which others lead, by every rule.
@Suite struct DeleteRulesScenarioTests {
    private func rows(_ driver: any StoreDriver) async throws -> [ResultRow] {
        try await ScenarioReader().read(Data(DeleteRulesScenario.json.utf8), file: "forum.json").rows(by: driver)
    }

    @Test(arguments: DriverCase.all + [DriverCase(MemoryDriver())] + DriverCase.onServer)
    func everyDeletionIsVerified(_ subject: DriverCase) async throws {
        let rows = try await rows(subject.driver)
        #expect(rows.count == DeleteRulesScenario.phases.count)
        expectVerified(rows, unsupported: [])
        let deletions = rows.filter { $0.kind == "delete" }
        let denied = deletions.filter { $0.work.records == 0 }.map(\.phase)
        #expect(Set(denied) == Set(DeleteRulesScenario.denied))
    }

    @Test func aDriverThatDeniesNothingFails() async throws {
        let rows = try await rows(Lenient())
        let failed = rows.filter { $0.status == .failed }.map(\.phase)
        #expect(Set(failed).isSuperset(of: DeleteRulesScenario.denied))
    }

    @Test func aDriverWithoutDenialsSaysSo() async throws {
        let rows = try await rows(Lenient(obstacle: .denials))
        #expect(rows.allSatisfy { $0.status == .unsupported && $0.error == "its stores deny no deletions" })
    }
}

/// Has relationships lead nowhere where they should deny a deletion.
private struct Lenient: StoreDriver {
    let name = "lenient"
    let summary = "for tests"
    var obstacle: Schema.Feature?
    var sessionType: any StoreSession.Type { SQLiteDriver().sessionType }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        try SQLiteDriver().open(configuration.changingReferences { if $0.rule == .deny { $0.deleteRule = nil } })
    }

    func obstacle(to feature: Schema.Feature) -> String? { feature == obstacle ? feature.lack : nil }

    func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        SQLiteDriver().inspector(of: configuration)
    }
}
