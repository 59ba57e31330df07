import Foundation
import Testing

@testable import BenchHarness

@Suite struct GetWorkTests {
    private func report(
        _ work: GetWork, by driver: FakeDriver = FakeDriver(), from origin: Phase.Origin = .seeded
    ) throws -> PhaseReport {
        try #require(try driver.reports([Phase(name: "get", from: origin, work: .get(work))]).first)
    }

    @Test func eachGetHasALatencyAndIsVerified() throws {
        let driver = FakeDriver()
        let report = try report(GetWork(count: 6), by: driver)
        #expect(report.row.status == .ok && report.row.verified == true, "\(report.row.error)")
        #expect(report.row.records == 6 && report.row.operations == 6 && report.latencies?.count == 6)
        #expect(report.row.durationNanoseconds == 6_000 + 6 * 3_000_000 || report.row.latencyMin ?? 0 >= 1_000)
        #expect(driver.log.calls.filter { $0.hasPrefix("get ") }.count == 6)
    }

    @Test func theSeedDrawsTheRecords() throws {
        let draws = try [1, 2, 1].map { (seed: UInt64) in
            let driver = FakeDriver()
            _ = try report(GetWork(count: 8, seed: seed), by: driver)
            return driver.log.calls.filter { $0.hasPrefix("get ") }
        }
        #expect(draws[0] == draws[2] && draws[0] != draws[1] && Set(draws[0]).count > 2)
    }

    @Test func anotherRecordIsFound() throws {
        var driver = FakeDriver()
        driver.getsNext = true
        let report = try report(GetWork(count: 3), by: driver)
        #expect(report.row.status == .failed && report.row.error.hasPrefix("get 1 "), "\(report.row.error)")
    }

    /// An empty store has no records to draw from.
    @Test func nothingIsDrawnFromAnEmptyStore() throws {
        let report = try report(GetWork(count: 3), from: .empty)
        #expect(report.row.status == .ok && report.row.records == 0)
    }

    @Test func getsAreScaledAndCut() throws {
        var scenario = FakeDriver.scenario
        scenario.phases = [Phase(name: "get", from: .seeded, work: .get(GetWork(count: 10, seed: 3)))]
        #expect(scenario.scaled(by: 0.2).phases[0].work == .get(GetWork(count: 2, seed: 3)))
        let cut = try #require(GetWork(count: 10, seed: 3).cut(to: 4))
        #expect(Phase.Work(cut.work) == .get(GetWork(count: 4, seed: 3)) && cut.operations == 4)
    }

    // MARK: - Reading

    private func json(_ keys: String, from origin: String = "seeded") -> String {
        let head = ScenarioFixture.valid.components(separatedBy: #""phases": ["#)[0]
        return head + #""phases": [{ "name": "get", "kind": "get", "from": "\#(origin)", \#(keys) }]}"#
    }

    @Test func theNumberIsRead() throws {
        guard let work = try ScenarioFixture.read(json(#""count": 500"#)).phases[0].work.as(GetWork.self) else {
            Issue.record("no get")
            return
        }
        #expect(work.count == 500 && work.seed != 0)
    }

    @Test(arguments: [
        (#""thresholds_percent": {}"#, "phases[0]", "the key \"count\" is missing"),
        (#""count": 0"#, "phases[0].count", "expected an integer from 1"),
        (#""count": 5, "key": 1"#, "phases[0]", "unknown key \"key\""),
    ])
    func mistakesAreNamedWithTheirPlace(keys: String, path: String, text: String) {
        assertInvalidScenario(json(keys), at: path, saying: text)
    }

    /// A merge of some writers, and a phase that goes on from it.
    private func merged(by writers: Int, inserting inserts: Int, then phase: String) -> String {
        let head = ScenarioFixture.valid.components(separatedBy: #""phases": ["#)[0]
        return head + """
            "phases": [
              { "name": "merge", "kind": "merge", "from": "seeded", "writers": \(writers), "saves_per_writer": 2,
                "inserts_per_save": \(inserts), "changes_per_save": 0, "deletes_per_save": 1 },
              { "name": "next", "from": "previous", \(phase) }
            ]}
            """
    }

    /// Each new record of a save gets the next key, so that the first writer to save gets those of another's records.
    @Test(arguments: [
        #""kind": "get", "count": 5"#,
        #"""
        "kind": "update", "mode": "per_object",
        "set": { "name": { "generator": { "kind": "random", "length_bytes": 5 } } }
        """#,
    ])
    func whatKnowsRecordsByTheirKeysDoesNotFollowARaceForKeys(phase: String) throws {
        assertInvalidScenario(
            merged(by: 2, inserting: 3, then: phase), at: "phases[1].from",
            saying: "after a merge of several writers, whose race decides the keys of new records; expected seeded")
        for (writers, inserts) in [(1, 3), (2, 0)] {
            #expect(try ScenarioFixture.read(merged(by: writers, inserting: inserts, then: phase)).phases.count == 2)
        }
        #expect(
            try ScenarioFixture.read(merged(by: 2, inserting: 3, then: #""kind": "count""#)).phases.count == 2)
    }

    @Test func aStoreWithoutRecordsHasNoneToGet() {
        assertInvalidScenario(
            json(#""count": 5"#, from: "empty"), at: "phases[0]",
            saying: "a get from a store without records; expected from seeded")
    }
}
