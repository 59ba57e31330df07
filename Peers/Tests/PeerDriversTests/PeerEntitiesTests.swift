import BenchHarness
import DriverConformance
import Foundation
import Testing

@testable import PeerDrivers

/// Scenarios with several entities.
@Suite struct PeerEntitiesTests {
    /// The shipped scenario, run once in this process.
    private static func shop() throws -> String {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return try String(contentsOf: root.appendingPathComponent("Scenarios/shop.json"), encoding: .utf8)
            .replacing(#""repetitions": 7"#, with: #""repetitions": 1, "isolation": "none""#)
    }

    @Test(arguments: PeerDriverCase.all) func everyPhaseOfTheShopIsVerified(_ subject: PeerDriverCase) async throws {
        let run = try await ScenarioRun(Self.shop(), [subject.driver], scale: 0.005)
        #expect(run.unsupported == (subject.driver.name == "lmdb" ? ["sold"] : []))
        #expect(run.rows.count == 28)
        #expect(run.failures.count == run.unsupported.count, "\(run.failures)")
    }

    @Test(arguments: [
        ("grdb-fast", ["undo"]), ("lmdb", ["lines-by-product", "page", "upsert", "undo"]),
    ])
    func everyPhaseOfAnyEntitiesIsVerified(_ name: String, unsupported: [String]) async throws {
        let driver = try #require(PeerDrivers.all.first { $0.name == name })
        let run = try await ScenarioRun(EntitiesScenario.json, [driver])
        #expect(Set(run.unsupported) == Set(unsupported))
        #expect(run.rows.count == EntitiesScenario.phases.count)
        #expect(run.failures.count == run.unsupported.count, "\(run.failures)")
    }

    @Test func aRecordOfOtherEntitiesIsRefusedWithAReason() async throws {
        let run = try await ScenarioRun(EntitiesScenario.json, [GRDBDriver()])
        #expect(run.rows.allSatisfy { $0.status == .unsupported && $0.error.contains("grdb-fast does any entity") })
    }
}
