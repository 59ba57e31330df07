import Foundation
import Testing

@testable import BenchHarness

@Suite struct TurnTakerTests {
    private func withTaker(
        _ driver: FakeDriver, _ scenario: Scenario = FakeDriver.scenario, phases: Range<Int> = 0..<1,
        _ body: (inout TurnTaker) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let job = RepetitionJob(
            run: "r", scenario: scenario, driver: driver.name, repetition: 1, phases: phases,
            directory: folder.path, parent: 0)
        var taker = TurnTaker(job, driver: driver)
        try body(&taker)
        try taker.end()
    }

    @Test func aTurnIsTimedAndLeavesTheRestOfTheWorkToRehearsals() throws {
        let driver = FakeDriver()
        try withTaker(driver) { taker in
            try taker.restore()
            let turn = try taker.turn(at: 0, verifies: false)
            #expect(turn.cpu > 0 && turn.duration > 0 && turn.release >= 0)
            #expect(turn.problems.isEmpty && turn.operations == 1)
        }
        #expect(driver.log.calls == ["open", "resetCounters", "seed", "finish", "close"])
    }

    @Test func aTurnAtALoadHasItsResponseTimes() throws {
        var scenario = FakeDriver.scenario
        let sequence = AttributeSpec(
            name: "n", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1), isUnique: true)
        scenario.entity = EntitySpec(name: "Item", attributes: [sequence])
        let mix = MixSpec(operations: [.read: 1])
        let load = LoadWork(source: .mix(mix), workers: 2, pace: PaceSpec(operations: 50))
        scenario.phases[1] = Phase(name: "run", from: .seeded, work: .load(load))
        try withTaker(FakeDriver(), scenario, phases: 1..<2) { taker in
            try taker.restore()
            let responses = try #require(try taker.turn(at: 1, verifies: false).responses)
            #expect(try #require(responses.p50) > 0 && responses.p99 ?? 0 >= responses.p50 ?? 0)
        }
        try withTaker(FakeDriver()) { taker in
            try taker.restore()
            #expect(try taker.turn(at: 0, verifies: false).responses == nil)
        }
    }

    @Test func everyTurnStartsFromTheSameState() throws {
        let driver = FakeDriver()
        try withTaker(driver) { taker in
            for _ in 0..<3 {
                try taker.restore()
                // Seeding a store that is not empty would give records twice, and verification would find them.
                #expect(try taker.turn(at: 0, verifies: true).problems.isEmpty)
            }
        }
    }

    @Test func aTurnThatIsLookedAtShowsWhatWentWrong() throws {
        var driver = FakeDriver()
        driver.losesRecord = true
        try withTaker(driver) { taker in
            try taker.restore()
            #expect(try taker.turn(at: 0, verifies: false).problems.isEmpty)
            try taker.restore()
            let turn = try taker.turn(at: 0, verifies: true)
            #expect(turn.problems == ["the store holds 9 records; expected 10"])
        }
    }

    @Test func phasesThatGoOnFromOneAnotherAreDoneInOneSession() throws {
        let driver = FakeDriver()
        try withTaker(driver, phases: 1..<3) { taker in
            try taker.restore()
            driver.log.add("turns")
            _ = try taker.turn(at: 1, verifies: false)
            _ = try taker.turn(at: 2, verifies: false)
        }
        let turns = driver.log.calls.drop { $0 != "turns" }.dropFirst()
        #expect(
            Array(turns) == [
                "resetCounters", "fetch", "finish", "resetCounters", "checkpoint", "finish", "close",
            ])
    }

    @Test func aRehearsalMeasuresAndVerifiesAllPhases() throws {
        try withTaker(FakeDriver(), phases: 0..<3) { taker in
            let reports = try taker.rehearse()
            #expect(reports.map(\.row.phase) == ["seed", "fetch", "checkpoint"])
            #expect(reports.allSatisfy { $0.row.verified == true && $0.row.counters.statements == 1 })
        }
    }

    @Test func whatFailsIsThrown() throws {
        var driver = FakeDriver()
        driver.failingKind = "seed"
        try withTaker(driver) { taker in
            try taker.restore()
            #expect(throws: RunError.self) { try taker.turn(at: 0, verifies: false) }
        }
    }

    /// Reads of one worker.
    private var load: Scenario {
        var scenario = FakeDriver.scenario
        scenario.entity.attributes[0].unique = true
        let work = LoadWork(
            source: .mix(MixSpec(operations: [.read: 1])), workers: 1, pace: PaceSpec(operations: 20))
        scenario.phases = [Phase(name: "load", from: .seeded, work: .load(work))]
        return scenario
    }

    @Test func loadDoesTheSameOperationsForTheSameSeed() throws {
        let driver = FakeDriver()
        try withTaker(driver, load) { taker in
            var reads: [[String]] = []
            for seed: UInt64 in [1, 2, 1] {
                let before = driver.log.calls.count
                try taker.restore()
                #expect(try taker.turn(at: 0, seed: seed, verifies: false).operations == 20)
                reads.append(driver.log.calls.dropFirst(before).filter { $0.hasPrefix("read ") })
            }
            #expect(reads.allSatisfy { $0.count == 20 })
            #expect(reads[0] == reads[2] && reads[0] != reads[1])
        }
    }

    @Test func loadIsVerifiedInTurnsThatAreLookedAt() throws {
        var inserting = load
        let work = LoadWork(
            source: .mix(MixSpec(operations: [.insert: 1])), workers: 1, pace: PaceSpec(operations: 1))
        inserting.phases[0].work = .load(work)
        try withTaker(FakeDriver(), inserting) { taker in
            try taker.restore()
            let turn = try taker.turn(at: 0, verifies: true)
            #expect(turn.problems == ["record 10 is gone, although its insertion was acknowledged"])
        }
    }

    @Test func loadWhoseOperationsFailHasNoTime() throws {
        try withTaker(FakeDriver(failsLoads: true), load) { taker in
            try taker.restore()
            #expect(throws: RunError.self) { try taker.turn(at: 0, verifies: false) }
        }
    }
}
