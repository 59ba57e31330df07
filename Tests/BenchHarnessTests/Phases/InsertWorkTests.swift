import Testing

@testable import BenchHarness

@Suite struct InsertWorkTests {
    private func reports(_ works: [Phase.Work], by driver: FakeDriver = FakeDriver()) throws -> [PhaseReport] {
        let phases = works.enumerated().map { index, work in
            Phase(name: "p\(index)", from: index == 0 ? .seeded : .previous, work: work)
        }
        return try driver.reports(phases)
    }

    /// After ten records, whose ordinals are 0 to 9.
    @Test func newRecordsFollowThoseOfTheStoreInSavesOfTheirNumber() throws {
        let driver = FakeDriver()
        let insert = Phase.Work.insert(InsertWork(records: 7, saveEvery: 3))
        let reports = try reports([insert, insert], by: driver)
        let saves = driver.log.calls.filter { $0.hasPrefix("insert ") }
        #expect(
            saves == ["10..<13", "13..<16", "16..<17", "17..<20", "20..<23", "23..<24"].map { "insert \($0)" })
        for report in reports {
            #expect(report.row.status == .ok && report.row.verified == true, "\(report.row.error)")
            #expect(report.row.records == 7 && report.row.operations == 3 && report.latencies?.count == 3)
        }
    }

    @Test func withoutANumberOneSaveHasAllRecords() throws {
        let driver = FakeDriver()
        let report = try #require(try reports([.insert(InsertWork(records: 5))], by: driver).first)
        #expect(report.row.status == .ok && report.row.operations == 1, "\(report.row.error)")
        #expect(driver.log.calls.contains("insert 10..<15"))
    }

    @Test func otherRecordsFailThePhase() throws {
        var driver = FakeDriver()
        driver.insertsAgain = true
        let report = try #require(try reports([.insert(InsertWork(records: 5))], by: driver).first)
        #expect(report.row.status == .failed && report.row.error == "the store does not hold the expected values")
    }

    @Test func aGetAsksForNewRecordsToo() throws {
        let driver = FakeDriver()
        let reports = try reports([.insert(InsertWork(records: 30)), .get(GetWork(count: 200, seed: 1))], by: driver)
        #expect(reports.allSatisfy { $0.row.status == .ok }, "\(reports.map(\.row.error))")
        let asked = Set(driver.log.calls.filter { $0.hasPrefix("get ") })
        #expect(asked.contains("get 39") && asked.contains("get 0"))
    }

    @Test func aScaleAppliesToBothNumbers() {
        let scale = Scaling(factor: 0.01, records: 10, schema: FakeDriver.scenario.schema)
        #expect(
            InsertWork(records: 5_000, saveEvery: 200).scaled(scale) == InsertWork(records: 50, saveEvery: 2))
        #expect(InsertWork(records: 20).scaled(scale) == InsertWork(records: 1))
    }

    // MARK: - Reading

    private func json(_ keys: String, from: String = "seeded", after: String = "") -> String {
        let head = ScenarioFixture.valid.components(separatedBy: #""phases": ["#)[0]
        return head + #""phases": [\#(after){ "name": "new", "kind": "insert", "from": "\#(from)", \#(keys) }]}"#
    }

    @Test func anInsertIsRead() throws {
        let read = try ScenarioFixture.read(json(#""records": 500, "save_every_records": 20"#))
        #expect(read.phases[0].work == .insert(InsertWork(records: 500, saveEvery: 20)))
        #expect(
            try ScenarioFixture.read(json(#""records": 5"#)).phases[0].work == .insert(InsertWork(records: 5)))
    }

    @Test(arguments: [
        (#""save_every_records": 5"#, "phases[0]", "the key \"records\" is missing"),
        (#""records": 0"#, "phases[0].records", "expected an integer from 1"),
        (
            #""records": 5, "save_every_record": 5"#, "phases[0]",
            "Did you mean \"save_every_records\"?"
        ),
        (
            #""records": 1000000000"#, "phases[0].records",
            "1,000,000,000 records beside 1,000; expected at most 1,000,000,000 records in the store"
        ),
    ])
    func mistakesAreNamedWithTheirPlace(keys: String, path: String, text: String) {
        assertInvalidScenario(json(keys), at: path, saying: text)
    }

    @Test func aStoreWithoutRecordsIsRefused() {
        assertInvalidScenario(
            json(#""records": 5"#, from: "empty"), at: "phases[0]",
            saying: "an insert into a store without records; expected from seeded, or a phase of the kind seed")
    }

    @Test func aMergeAfterwardsIsRefused() {
        let insert = #"{ "name": "more", "kind": "insert", "from": "seeded", "records": 5 }, "#
        let merge = json(#""records": 5"#, from: "previous", after: insert)
            .replacing(
                #""kind": "insert", "from": "previous", "records": 5"#,
                with: #"""
                    "kind": "merge", "from": "previous", "writers": 1, "saves_per_writer": 1, "inserts_per_save": 1,
                    "changes_per_save": 0, "deletes_per_save": 0
                    """#)
        assertInvalidScenario(merge, at: "phases[1].from", saying: "a merge of a store to which records were added")
    }
}
