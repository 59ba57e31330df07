@testable import BenchHarness

extension Launch {
    /// A launch in which each phase takes `ratio` times as long on the new side, and its threads work for `work` of the
    /// time, which is counted in multiples of `tick` nanoseconds.
    static func fixture(
        _ number: Int, of bout: Bout, ratio: Double = 1, work: Double = 0.9, core: Int? = 0,
        surroundings: Surroundings = .quiet, tick: Int = 1, oddities: Oddities = Oddities()
    ) -> Launch {
        // Launches of one program are never quite equal.
        let ratio = ratio * (1 + 0.0003 * Double(number % 3))
        let responses = { (factor: Double) -> Turn.Responses? in
            guard let slower = oddities.slower, factor != 1 || oddities.baseHasResponses else { return nil }
            return Turn.Responses(p50: Int(50_021 * factor), p99: Int(400_127 * (factor == 1 ? 1 : slower)))
        }
        let turn = { (factor: Double, release: Int) in
            Turn(
                cpu: Int(12_000_123 * factor * work) / tick * tick, duration: Int(12_000_123 * factor),
                release: release, operations: 3, responses: responses(factor))
        }
        var (before, after) = (turn(1, 0), turn(ratio, oddities.release))
        if let server = oddities.server { (before.server, after.server) = (3_000_017, Int(3_000_017 * server * ratio)) }
        let quad = Quad(first: .base, base: [before, before], new: [after, after])
        let scenario = bout.scenario ?? FakeDriver.scenario
        let reports = { (side: Side) in
            bout.phases.map { index in
                var row = ResultRow()
                let phase = scenario.phases[index]
                (row.run, row.scenario, row.phase, row.kind) = (
                    "r-\(side.rawValue)", scenario.name, phase.name, phase.kind
                )
                (row.mode, row.status, row.verified, row.cpu) = (phase.mode, .ok, true, 1)
                (row.durationNanoseconds, row.throughput, row.operations) = (1, 1, 3)
                row.counters = StoreCounters(statements: 7)
                if phase.name == oddities.unsupported { (row.status, row.verified) = (.unsupported, nil) }
                row.driver = bout.contest.driver(side)
                return PhaseReport(row: row)
            }
        }
        return Launch(
            number: number, core: core, phases: bout.phases, rehearsals: [.base: reports(.base), .new: reports(.new)],
            quads: oddities.unsupported == nil
                ? Dictionary(uniqueKeysWithValues: bout.phases.map { ($0, [quad]) }) : [:],
            manifests: ComparisonFixture.manifests(ofTurns: "r", scenario),
            surroundings: surroundings, seconds: 1,
            problems: oddities.wrong.map { [$0: ["an update was lost"]] } ?? [:])
    }

    /// What is unusual about a launch.
    struct Oddities {
        /// How many times as long the slowest operations of a load take on the new side; nil for other phases.
        var slower: Double?
        /// Whether the base is of a version that sends response times.
        var baseHasResponses = true
        /// How many times as much the server works on the new side; nil without a server.
        var server: Double?
        /// What trails after the clock on the new side, in nanoseconds.
        var release = 0
        /// The phase that no side can do.
        var unsupported: String?
        /// The side whose result was wrong in a turn.
        var wrong: Side?
    }
}
