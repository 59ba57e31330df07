import Testing

@testable import BenchHarness

@Suite struct UpsertWorkTests {
    /// Ten records whose only attribute is unique in the store of a ``FakeDriver``.
    private func report(_ work: UpsertWork, by driver: FakeDriver = FakeDriver()) throws -> PhaseReport {
        try #require(try driver.reports([Phase(name: "p", from: .seeded, work: .upsert(work))]).first)
    }

    @Test func receivedRecordsArriveInSavesOfTheirNumber() throws {
        let driver = FakeDriver()
        let report = try report(UpsertWork(records: 8, newShare: 0.25, saveEvery: 3), by: driver)
        // The values of a sequence are the same when they arrive again.
        #expect(report.row.status == .ok && report.row.verified == true, "\(report.row.error)")
        #expect(report.row.records == 8 && report.row.operations == 3 && report.latencies?.count == 3)
        #expect(driver.log.calls.filter { $0.hasPrefix("upsert ") } == ["upsert 3", "upsert 3", "upsert 2"])
    }

    @Test func knownRecordsThatKeepTheirValuesFailThePhase() throws {
        var driver = FakeDriver()
        driver.keepsKnown = true
        var scenario = FakeDriver.scenario
        scenario.entity.attributes = [
            AttributeSpec(name: "n", type: .int64, generator: .uniform(min: 0, max: 1e9))
        ]
        scenario.phases = [Phase(name: "p", from: .seeded, work: .upsert(UpsertWork(records: 8, newShare: 0.25)))]
        let wrong = try #require(try driver.reports(scenario.phases, of: scenario).first?.row)
        #expect(wrong.status == .failed && wrong.error == "the store does not hold the expected values")
        driver.keepsKnown = false
        #expect(try driver.reports(scenario.phases, of: scenario).first?.row.status == .ok)
    }

    @Test func aScaleLeavesNoMoreRecordsThanTheStoreHolds() {
        let scale = Scaling(factor: 0.01, records: 30, schema: FakeDriver.scenario.schema)
        #expect(
            UpsertWork(records: 5_000, newShare: 0.1, saveEvery: 200).scaled(scale)
                == UpsertWork(records: 30, newShare: 0.1, saveEvery: 2))
    }

    // MARK: - Reading

    private func json(_ keys: String, from: String = "seeded", before: String = "", after: String = "") -> String {
        let head = ScenarioFixture.valid.components(separatedBy: #""phases": ["#)[0]
        return head
            + #""phases": [\#(before){ "name": "new", "kind": "upsert", "from": "\#(from)", \#(keys) }\#(after)]}"#
    }

    @Test func anUpsertIsRead() throws {
        let read = try ScenarioFixture.read(json(#""records": 500, "new_share": 0.1, "save_every_records": 20"#))
        guard let work = read.phases[0].work.as(UpsertWork.self) else { throw FakeError("another kind") }
        #expect(work == UpsertWork(records: 500, newShare: 0.1, saveEvery: 20, seed: work.seed))
        #expect(work.newRecords == 50 && work.knownRecords == 450)
    }

    @Test(arguments: [
        (#""new_share": 0.5"#, "phases[0]", "the key \"records\" is missing"),
        (#""records": 5, "new_share": 2"#, "phases[0].new_share", "expected a number from 0.0 to 1.0"),
        (#""records": 5, "new_shar": 1"#, "phases[0]", "Did you mean \"new_share\"?"),
        (
            #""records": 4000, "new_share": 0.5"#, "phases[0].records",
            "2,000 received records that the store holds; expected at most 1,000"
        ),
    ])
    func mistakesAreNamedWithTheirPlace(keys: String, path: String, text: String) {
        assertInvalidScenario(json(keys), at: path, saying: text)
    }

    @Test func aStoreMustHoldTheSeededRecords() {
        assertInvalidScenario(
            json(#""records": 5"#, from: "empty"), at: "phases[0].from",
            saying: "an upsert into a store from empty; expected seeded")
        let insert = #"{ "name": "more", "kind": "insert", "from": "seeded", "records": 5 }, "#
        assertInvalidScenario(
            json(#""records": 5"#, from: "previous", before: insert), at: "phases[1].from",
            saying: "an upsert into a store from previous; expected seeded")
    }

    @Test func anAttributeMustBeUnique() {
        assertInvalidScenario(
            json(#""records": 5"#).replacing(#""unique": true"#, with: #""unique": false"#), at: "phases[0]",
            saying: "whose records no unique attribute identifies, or several; expected one attribute with")
    }

    @Test(arguments: [
        #""kind": "get", "count": 5"#,
        #"""
        "kind": "update", "mode": "per_object",
        "set": { "name": { "generator": { "kind": "random", "length_bytes": 5 } } }
        """#,
    ])
    func whatKnowsRecordsByTheirKeysDoesNotGoOn(_ phase: String) {
        assertInvalidScenario(
            json(#""records": 5"#, after: #", { "name": "next", "from": "previous", \#(phase) }"#),
            at: "phases[1].from",
            saying: "after an upsert, in which the store chooses the keys of new records; expected seeded")
    }
}
