import BenchHarness
import DriverConformance
import Foundation
import Testing

@testable import PeerDrivers

/// Scenarios with other entities than the to-do item, one with owners and some with several entities among them.
@Suite struct PeerEntitiesTests {
    /// A shipped scenario, run once in this process.
    private static func shipped(_ name: String) throws -> String {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return try String(contentsOf: root.appendingPathComponent("Scenarios/\(name).json"), encoding: .utf8)
            .replacing(#""repetitions": 7"#, with: #""repetitions": 1, "isolation": "none""#)
    }

    /// The phases that a driver does not do, by the name of the scenario, and a part of the reason for each.
    private static func declined(_ driver: String) -> [String: [String: String]] {
        let shop = driver == "lmdb" ? ["sold": "it computes nothing of many records"] : [:]
        var feed = ["watched": driver == "grdb" ? "it does no loads" : "it observes no saves"]
        if driver == "grdb" { feed["like"] = "it does no loads" }
        if driver == "lmdb" {
            feed["scroll"] = "it fetches no pages"
            feed["likes-by-topic"] = "it computes nothing of many records"
        }
        return ["shop": shop, "mail": ["undo-marks": "it takes no changes back"], "feed": feed]
    }

    @Test(arguments: PeerDriverCase.all, [("shop", 29), ("mail", 16), ("feed", 13)])
    func everyPhaseIsVerifiedOrDeclined(
        _ subject: PeerDriverCase, _ scenario: (name: String, phases: Int)
    ) async throws {
        let run = try await ScenarioRun(Self.shipped(scenario.name), [subject.driver], scale: 0.005)
        let declined = try #require(Self.declined(subject.driver.name)[scenario.name])
        #expect(run.rows.count == scenario.phases)
        #expect(Set(run.unsupported) == Set(declined.keys))
        for row in run.rows where row.status == .unsupported {
            #expect(row.error.contains(try #require(declined[row.phase])))
        }
        #expect(run.failures.count == run.unsupported.count, "\(run.failures)")
    }

    /// The messages of mail and their mailboxes, followed from either end.
    @Test(arguments: PeerDriverCase.all) func relationshipsAreFollowedFromEitherEnd(_ subject: PeerDriverCase)
        async throws
    {
        let scenario = try Self.shipped("mail")
        let end = try #require(scenario.range(of: #""phases": ["#)).upperBound
        let phases = [("Message", "mailbox"), ("Mailbox", "messages")].flatMap { entity, relationship in
            [true, false].map { prefetch in
                """
                { "name": "\(relationship)-\(prefetch)", "kind": "fetch", "entity": "\(entity)", "from": "seeded",
                  "mode": "sync", "follow": { "relationship": "\(relationship)", "prefetch": \(prefetch) } }
                """
            }
        }
        let fill = #"{ "name": "fill", "kind": "seed", "from": "empty" }"#
        let text = scenario[..<end] + ([fill] + phases).joined(separator: ",\n") + "] }"
        let run = try await ScenarioRun(String(text), [subject.driver], scale: 0.005)
        #expect(run.rows.count == 5)
        #expect(run.failures == [])
    }

    /// The updates that link records, and what goes on from them.
    private static let linking = [
        "tag-scarce", "tagged-after", "tag-from-the-other-end", "catalogue-after", "untag", "sell-tagged",
        "remove-linked-tags", "tags-that-remain",
    ]

    @Test(arguments: [
        ("grdb-fast", ["undo"]),
        (
            "lmdb",
            [
                "lines-by-product", "count-by-city", "count-by-customer", "quantity-by-customer", "page", "upsert",
                "undo",
            ]
        ),
    ])
    func everyPhaseOfAnyEntitiesIsVerified(_ name: String, unsupported: [String]) async throws {
        let driver = try #require(PeerDrivers.all.first { $0.name == name })
        let run = try await ScenarioRun(EntitiesScenario.json, [driver])
        #expect(Set(run.unsupported) == Set(unsupported + Self.linking))
        #expect(run.rows.count == EntitiesScenario.phases.count)
        #expect(run.failures.count == run.unsupported.count, "\(run.failures)")
    }

    @Test func aRecordOfOtherEntitiesIsRefusedWithAReason() async throws {
        let run = try await ScenarioRun(EntitiesScenario.json, [GRDBDriver()])
        #expect(run.rows.allSatisfy { $0.status == .unsupported && $0.error.contains("grdb-fast does any entity") })
    }
}
