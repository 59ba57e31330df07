import Foundation
import TestSupport
import Testing

@testable import BenchHarness

@Suite struct TorturePlanTests {
    private func rounds(_ count: Int, processes: Int = 2, seed: UInt64 = 1) -> [[[TorturedLife]]] {
        var plan = TorturePlan(processes: processes, seed: seed)
        return (0..<count).map { _ in plan.round() }
    }

    @Test func seedDecides() {
        #expect(rounds(10) == rounds(10))
        #expect(rounds(10) != rounds(10, seed: 2))
    }

    @Test func everyPlaceHasAProcessAndEveryProcessANumberOfItsOwn() {
        let rounds = rounds(100, processes: 3)
        #expect(rounds.allSatisfy { $0.count == 3 && $0.allSatisfy { !$0.isEmpty } })
        let numbers = rounds.joined().joined().map(\.number)
        #expect(Set(numbers).count == numbers.count && !numbers.contains(0))
    }

    @Test func shardsHaveProcessesOfTheirOwn() {
        let shards = ShardTests.shards(3)
        let lives = shards.map { shard in
            var plan = TorturePlan(processes: 2, seed: 1, shard: shard)
            return (0..<50).flatMap { _ in plan.round().joined() }
        }
        let numbers = lives.joined().map(\.number)
        #expect(Set(numbers).count == numbers.count && !numbers.contains(0))
        for (shard, own) in zip(shards, lives) {
            let found = Set(own.map { TorturePlan.shard(of: LoadLane(number: $0.number), count: 3) })
            #expect(found == [shard.index])
        }
        #expect(lives[0].map(\.end) != lives[1].map(\.end))
    }

    @Test func processesLiveAndStandStillForAsLongAsTheyMay() {
        let lives = rounds(200).joined().joined()
        for life in lives where life.end != .killWhileOpening { #expect(TorturePlan.work.contains(life.milliseconds)) }
        let stops = lives.flatMap(\.steps).compactMap { step in
            if case .stop(let milliseconds) = step { milliseconds } else { nil }
        }
        #expect(!stops.isEmpty && stops.allSatisfy(TorturePlan.stop.contains))
    }

    @Test func mostAreKilledAndSomeAreNot() {
        let ends = rounds(200).joined().joined().map(\.end)
        #expect(ends.filter { $0 == .kill }.count > ends.count / 2)
        #expect(ends.contains(.finish) && ends.contains(.killWhileOpening))
    }

    @Test func onlyADeathThatWasMeantIsNoFault() {
        let life = TorturedLife(number: 3, steps: [], end: .kill)
        for (isKilled, ending, problem) in [
            (true, "was ended by SIGKILL", nil), (false, nil, nil),
            (true, "was ended by SIGSEGV", "process 3 was ended by SIGSEGV"),
            (false, "was ended by SIGKILL", "process 3 was ended by SIGKILL"),
        ] as [(Bool, String?, String?)] {
            var death = TortureDeath(life: life)
            death.isKilled = isKilled
            death.end(ending, isHanging: false)
            #expect(death.problems == [problem].compactMap { $0 })
            #expect(death.isKilled == (isKilled && problem == nil))
        }
    }

    /// The first entity has another attribute at the position of one whose values repeat.
    @Test func theEntityOfAPhaseTellsWhichOfItsChangesMayBeNone() throws {
        let folder = try TemporaryDirectory()
        let words = AttributeSpec(name: "text", type: .string, generator: .random(length: 20))
        let flag = AttributeSpec(name: "flag", type: .bool, generator: .uniform(min: 0, max: 0.5))
        var scenario = Scenario(
            name: "s", records: 10, entity: EntitySpec(name: "Item", attributes: [words]),
            phases: [
                Phase(
                    name: "load", from: .seeded,
                    work: .load(
                        LoadWork(source: .mix(MixSpec(operations: [.update: 1])), workers: 1, pace: PaceSpec())))
            ])
        scenario.entities.append(EntitySpec(name: "Other", attributes: [flag], records: 3))
        var operation = LoadOperation(.update)
        (operation.changes, operation.change) = ([2], .attributes([0], revision: 7))
        for (entity, remembered) in [("Other", 1), (nil, 0)] as [(String?, Int)] {
            scenario.phases[0].entity = entity
            let job = TortureJob(
                scenario: scenario, phase: 0, driver: "sqlite", lane: 1, seconds: 1, store: "",
                journals: folder.url.path, parent: 0)
            let journal = [JournalEntry.intent(operation, start: 1), .acknowledged(end: 2)].map { $0.line + "\n" }
            try Data(journal.joined().utf8).write(to: URL(filePath: job.journal(of: 0)))
            var death = TortureDeath(life: TorturedLife(number: 1, steps: [], end: .kill))
            try death.read(job, LoadTorture(), settled: nil)
            #expect(death.readings.map { $0.ledger.entries[2]?.history.count } == [remembered])
        }
    }

    @Test(arguments: [(false, 2), (true, 1)]) func whatFailsWhileAServerIsAwayIsNoFault(wasAway: Bool, faults: Int) {
        var death = TortureDeath(life: TorturedLife(number: 3, steps: [], end: .finish))
        death.end("was ended by SIGSEGV", isHanging: false)
        (death.failures, death.failedOperations) = (["the connection was lost"], 5)
        var report = TortureReport(driver: "postgres")
        report.add([TortureAccount([death])], wasAway: wasAway)
        #expect(report.faults == faults)
        #expect(report.failedOperations == (wasAway ? 5 : 0))
    }
}
