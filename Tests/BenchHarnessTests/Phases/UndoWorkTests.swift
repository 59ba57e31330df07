import Testing

@testable import BenchHarness

@Suite struct UndoWorkTests {
    private static let set = [AttributeChange(attribute: "n", operation: .add(1))]

    private func report(_ work: UndoWork, by driver: FakeDriver = FakeDriver()) throws -> PhaseReport {
        try #require(try driver.reports([Phase(name: "p", from: .seeded, work: .undo(work))]).first)
    }

    /// Of ten records.
    @Test(arguments: [(1, 10), (3, 4), (20, 1)]) func eachStepIsAnOperation(size: Int, steps: Int) throws {
        let driver = FakeDriver()
        let report = try report(UndoWork(set: Self.set, stepSize: size), by: driver)
        #expect(report.row.status == .ok && report.row.verified == true, "\(report.row.error)")
        #expect(report.row.records == 10 && report.row.operations == steps)
        #expect(driver.log.calls.count { $0 == "undo" } == steps)
        // Making the changes is not measured.
        #expect((report.row.durationNanoseconds ?? .max) < 1_000_000)
    }

    @Test func aStepThatIsNotTakenBackFailsThePhase() throws {
        var driver = FakeDriver()
        driver.undoesHalf = true
        let row = try report(UndoWork(set: Self.set), by: driver).row
        #expect(row.status == .failed && row.error == "undoing did not give the records back the values that they had")
    }

    @Test func changesThatWereNotMadeFailThePhase() throws {
        let set = [AttributeChange(attribute: "n", operation: .add(2))]
        let row = try report(UndoWork(set: set)).row
        #expect(row.error == "before the clock, the 10 records did not have the values of the changes")
    }

    // MARK: - Reading

    private func json(_ keys: String) -> String {
        let head = ScenarioFixture.valid.components(separatedBy: #""phases": ["#)[0]
        return head + #""phases": [{ "name": "u", "kind": "undo", "from": "seeded", \#(keys) }]}"#
    }

    @Test func anUndoIsRead() throws {
        let done = [AttributeChange(attribute: "done", operation: .assign(.bool(true)))]
        #expect(
            try ScenarioFixture.read(json(#""set": { "done": true }, "step_records": 5"#)).phases[0].work
                == .undo(UndoWork(set: done, stepSize: 5)))
        #expect(
            try ScenarioFixture.read(json(#""set": { "done": true }"#)).phases[0].work == .undo(UndoWork(set: done)))
    }

    @Test(arguments: [
        (#""step_records": 5"#, "phases[0]", "the key \"set\" is missing"),
        (#""set": { "done": true }, "step_records": 0"#, "phases[0].step_records", "expected an integer from 1"),
        (#""set": { "dnoe": true }"#, "phases[0].set.dnoe", "Did you mean \"done\"?"),
        (
            #""set": { "name": { "generator": { "kind": "random", "length_bytes": 5 } } }"#, "phases[0].set.name",
            "values drawn for each record; expected an update in mode per_object or chunked"
        ),
    ])
    func mistakesAreNamedWithTheirPlace(keys: String, path: String, text: String) {
        assertInvalidScenario(json(keys), at: path, saying: text)
    }
}
