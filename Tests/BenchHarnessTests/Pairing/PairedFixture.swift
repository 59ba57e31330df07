import Foundation

@testable import BenchHarness

/// Runs of `bench ab`, made up: two phases of one driver, of which the second may have changed, and of which the new
/// side may wait in both.
enum PairedFixture {
    static func outcome(
        launches: Int = 24, change: Double = 0, deviation: Double = 0.01, wait: Double = 0, seed: UInt64 = 1,
        id: String = "made-up", options: ComparisonOptions = ComparisonOptions(),
        scenario: Scenario = FakeDriver.scenario
    ) -> PairedOutcome {
        let program = PairedRequest.Program(title: "bench", command: [])
        let contest = PairedRequest.Contest(base: "managed", new: "managed")
        var request = PairedRequest(scenario: scenario, contests: [contest], base: program, new: program)
        request.launches = launches
        let bout = Bout(contest: contest, phases: 0..<2, scenario: scenario)
        var outcome = PairedOutcome(request: request, bouts: [bout], options: options)
        var random = SplitMix64(state: seed)
        for number in 1...launches {
            outcome.add(launch(number, scenario, change, deviation, wait, id, &random), to: 0)
        }
        return outcome
    }

    private static func launch(
        _ number: Int, _ scenario: Scenario, _ change: Double, _ deviation: Double, _ wait: Double, _ id: String,
        _ random: inout SplitMix64
    ) -> Launch {
        var quads: [Int: [Quad]] = [:]
        for phase in 0..<2 {
            let offset = deviation * random.nextNormal() + (phase == 1 ? log(1 + change) : 0)
            quads[phase] = (0..<4).map { index in
                var turns = (0..<2).map { _ in turn(0.02 * random.nextNormal()) }
                var others = (0..<2).map { _ in turn(offset + 0.02 * random.nextNormal(), wait: wait) }
                let isAtOnce = wait == 0 && index > 0
                if isAtOnce {
                    // Both shared a core, which says nothing of how long they take.
                    for place in 0..<2 { (turns[place].duration, others[place].duration) = (20_000_000, 90_000_000) }
                }
                return Quad(
                    first: index.isMultiple(of: 2) ? .base : .new, base: turns, new: others, isAtOnce: isAtOnce)
            }
        }
        let sides = Side.allCases.map { side in (side, rehearsals(side, scenario, id)) }
        return Launch(
            number: number, core: number % 2, phases: 0..<2, rehearsals: Dictionary(uniqueKeysWithValues: sides),
            quads: quads, manifests: ComparisonFixture.manifests(ofTurns: id, scenario),
            surroundings: Surroundings(pressure: 0.01, othersCores: 0.02),
            seconds: 1, problems: [:])
    }

    private static func turn(_ logarithm: Double, wait: Double = 0) -> Turn {
        let cpu = Int(1e7 * exp(logarithm))
        return Turn(cpu: cpu, duration: cpu + 1_000 + Int(wait * 1e7), release: 10, operations: 1)
    }

    private static func rehearsals(_ side: Side, _ scenario: Scenario, _ id: String) -> [PhaseReport] {
        scenario.phases.prefix(2).map { phase in
            var row = ResultRow()
            (row.run, row.scenario, row.phase) = ("\(id)-\(side.rawValue)", scenario.name, phase.name)
            (row.mode, row.verified) = (phase.mode, true)
            row.counters.statements = 3
            return PhaseReport(row: row)
        }
    }
}
