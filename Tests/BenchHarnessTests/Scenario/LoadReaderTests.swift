import Testing

@testable import BenchHarness

@Suite struct LoadReaderTests {
    private func work(_ name: String) throws -> LoadWork {
        let phase = try ScenarioFixture.read(ScenarioFixture.valid).phases.first { $0.name == name }
        guard let work = phase?.work.as(LoadWork.self) else { throw RunError(.phase, "\(name) is no load") }
        return work
    }

    @Test func mixIsRead() throws {
        let work = try work("mixed")
        let mix = MixSpec(operations: [.read: 0.9, .update: 0.1], keys: .hotSet(records: 9, share: 0.75))
        let rate = RateSpec(perSecond: 200, arrivals: .poisson, ramp: .init(fromPerSecond: 10, seconds: 2))
        #expect(
            work
                == LoadWork(
                    source: .mix(mix), workers: 3, pace: PaceSpec(operations: 500, rate: rate),
                    limits: ["read": LimitSpec(milliseconds: ["p99_ms": 50], errors: 0)]))
    }

    @Test func savesThatMeetAreALoad() throws {
        let work = try work("contended")
        #expect(work.saves?.contention == 0.2 && work.saves?.mode == .controller)
        #expect(work.pace == PaceSpec(durationSeconds: 1.5))
        #expect(work.policy == .objectTrump)
    }

    private func assert(_ old: String, _ new: String, at path: String?, saying text: String, mistakes: Int = 1) {
        assertInvalidScenario(
            ScenarioFixture.replacing(old, with: new), at: path, saying: text, mistakes: mistakes)
    }

    @Test func loadNeedsRecordsThatCanBeToldApart() {
        assert(#""unique": true,"#, "", at: "phases[5]", saying: "whose records no key identifies", mistakes: 2)
    }

    @Test func uniqueNeedsASequence() {
        assert(
            #""type": "bool", "generator""#, #""type": "bool", "unique": true, "generator""#,
            at: "entities[0].attributes[2].unique", saying: "a sequence that counts")
    }

    @Test(arguments: [
        #""double", "unique": true, "generator": { "kind": "sequence", "start": 1e100, "step": 1 }"#,
        #""date", "unique": true, "generator": { "kind": "sequence", "start": "2024-01-01T00:00:00Z", "step_s": 1e-9 }"#,
    ])
    func uniqueNeedsStepsThatRoundingLeaves(_ attribute: String) {
        assert(
            #""bool", "generator": { "kind": "constant", "value": false }"#, attribute,
            at: "entities[0].attributes[2].unique", saying: "values may repeat", mistakes: 4)
    }

    @Test func aWindowMayFollowTheHead() throws {
        let head = #""contention": 0.2, "window": "head""#
        let sorted = head + #", "window_records": 5, "sort": [{ "key": "score", "ascending": false }]"#
        let json = ScenarioFixture.replacing(#""contention": 0.2"#, with: sorted)
        guard let work = try ScenarioFixture.read(json).phases[6].work.as(LoadWork.self) else {
            throw RunError(.phase, "no load")
        }
        #expect(work.saves?.window == .head && work.saves?.headRecords == 5)
        #expect(try self.work("contended").saves?.headRecords == nil)
        assert(#""contention": 0.2"#, head, at: "phases[6].window", saying: "expected window_records above 0, and sort")
        assert(
            #""contention": 0.2"#, sorted.replacingOccurrences(of: "score", with: "createdAt"), at: "phases[6].sort",
            saying: "the head in an order that leaves records equal")
        assert(
            #""mode": "controller", "writers": 4,"#, #""mode": "notifications", "window": "fixed", "writers": 4,"#,
            at: "phases[6].window", saying: "a window in mode notifications; expected mode controller")
        assert(
            #""contention": 0.2"#, #""contention": 0.2, "window": "tail""#, at: "phases[6].window",
            saying: "expected fixed or head")
    }

    @Test func loadNeedsAnEnd() {
        assert(#""operation_count": 500,"#, "", at: "phases[5]", saying: "operation_count or duration_s")
        assert(#""duration_s": 1.5, "#, "", at: "phases[6]", saying: "saves_per_writer or duration_s")
    }

    @Test func mixNeedsOperations() {
        assert(
            #"{ "read": 0.9, "update": 0.1 }"#, #"{ "read": 0 }"#, at: "phases[5].operations", saying: "a share above 0"
        )
        assert(
            #"{ "read": 0.9, "update": 0.1 }"#, #"{ "reed": 1 }"#, at: "phases[5].operations",
            saying: "Did you mean \"read\"")
    }

    @Test func whatBelongsToARateNeedsOne() {
        assert(
            #""rate_per_s": 200, "#, "", at: "phases[5].arrivals", saying: "rate_per_s too",
            mistakes: 2)
    }

    @Test func hotSetBelongsToItsDistribution() {
        assert(#""hot_set""#, #""zipfian""#, at: "phases[5].keys.hot_records", saying: "the distribution hot_set")
    }

    @Test func writersDeleteWhatTheyHaveInserted() {
        assert(
            #""inserts_per_save": 2,"#, #""inserts_per_save": 1,"#, at: "phases[6]",
            saying: "deletes_per_save <= inserts_per_save")
    }

    @Test func savesCanOnlyChangeTheRecordsThatThereAre() {
        assert(
            #""changes_per_save": 3,"#, #""changes_per_save": 900,"#, at: "phases[6]", saying: "changes_per_save <= 325"
        )
    }

    @Test func nothingGoesOnFromALoad() {
        let json = ScenarioFixture.valid.replacingOccurrences(
            of: #""kind": "saves", "from": "seeded""#, with: #""kind": "saves", "from": "previous""#)
        assertInvalidScenario(json, at: "phases[6].from", saying: "continues from a load")
    }

    /// The audit of a load knows what the generator makes, and what the workers wrote.
    @Test(arguments: [
        #""kind": "checkpoint", "from": "previous""#,
        #""kind": "update", "from": "seeded", "mode": "batch", "set": { "done": true }"#,
        #""kind": "insert", "from": "seeded", "records": 10, "save_every_records": 5"#,
        #""kind": "delete", "from": "seeded", "mode": "batch", "sort": [{ "key": "score" }], "limit": 5"#,
    ])
    func aLoadNeedsTheRecordsAsTheyWereSeeded(_ before: String) {
        let json = ScenarioFixture.valid
            .replacing(#""kind": "checkpoint", "from": "previous""#, with: before)
            .replacing(#""kind": "mixed", "from": "seeded""#, with: #""kind": "mixed", "from": "previous""#)
        assertInvalidScenario(json, at: "phases[5].from", saying: "a load of records that phases before have changed")
    }
}
