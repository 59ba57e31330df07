import Testing

@testable import BenchHarness

@Suite struct ReopenWorkTests {
    private func report(_ work: ReopenWork, by driver: FakeDriver = FakeDriver()) throws -> PhaseReport {
        try #require(try driver.reports([Phase(name: "p", from: .seeded, work: .reopen(work))]).first)
    }

    @Test func theClockRunsWhileTheStoreOpensAndTheFirstFetchIsRead() throws {
        let driver = FakeDriver()
        let row = try report(ReopenWork(), by: driver).row
        #expect(row.status == .ok && row.verified == true, "\(row.error)")
        #expect(row.kind == "reopen" && row.mode == "cold" && row.records == 10 && row.operations == 1)
        // The fake driver opens in two milliseconds, and fetches in a microsecond.
        #expect(row.opening == 2_000_000 && (row.durationNanoseconds ?? 0) >= 2_001_000)
        #expect(row.queueStall == nil)
        let opened = try #require(driver.log.calls.lastIndex(of: "open"))
        #expect(driver.log.calls[opened + 1] == "fetch", "\(driver.log.calls)")
    }

    @Test func aMissingRecordFailsThePhase() throws {
        let row = try report(ReopenWork(limit: 3)).row
        #expect(row.status == .failed && row.error == "10 records were fetched; expected 3")
    }

    @Test func aDriverThatCannotOpenFailsThePhaseAlone() throws {
        var driver = FakeDriver()
        driver.failingKind = "fetch"
        let row = try report(ReopenWork(), by: driver).row
        #expect(row.status == .failed && row.error.contains("told to fail"))
    }

    @Test func theLimitIsScaled() {
        let scale = Scaling(factor: 0.1, records: 30, schema: FakeDriver.scenario.schema)
        #expect(ReopenWork(limit: 50).scaled(scale) == ReopenWork(limit: 5))
    }

    // MARK: - Reading

    private func json(_ keys: String = "", from origin: String = "seeded") -> String {
        let head = ScenarioFixture.valid.components(separatedBy: #""phases": ["#)[0]
        return head + #""phases": [{ "name": "start", "kind": "reopen", "from": "\#(origin)"\#(keys) }]}"#
    }

    @Test func aReopenIsColdUnlessItSaysOtherwise() throws {
        let keys =
            #", "sort": [{ "key": "score" }], "filter": { "key": "done", "op": "==", "value": true }"#
            + #", "limit": 5"#
        let filter = FilterSpec.compare(key: "done", .equal, .bool(true))
        var work = ReopenWork(sort: [SortSpec(key: "score")], filter: filter, limit: 5)
        #expect(try ScenarioFixture.read(json(keys)).phases[0].work == .reopen(work))
        work.cache = .warm
        #expect(try ScenarioFixture.read(json(keys + #", "cache": "warm""#)).phases[0].work == .reopen(work))
        #expect(work.startsCold == false && ReopenWork().startsCold)
    }

    @Test(arguments: [
        (#", "cache": "hot""#, "phases[0].cache", "expected warm or cold"),
        (#", "limit": 0"#, "phases[0].limit", "expected an integer from 1"),
        (#", "mode": "sync""#, "phases[0]", "unknown key \"mode\""),
        (#", "sort": [{ "key": "scroe" }]"#, "phases[0].sort[0].key", "Did you mean \"score\"?"),
    ])
    func mistakesAreNamedWithTheirPlace(keys: String, path: String, text: String) {
        assertInvalidScenario(json(keys), at: path, saying: text)
    }

    @Test func onlyASeededStoreIsClosed() {
        assertInvalidScenario(
            json(from: "empty"), at: "phases[0].from", saying: "a reopen from empty; expected seeded")
    }
}
