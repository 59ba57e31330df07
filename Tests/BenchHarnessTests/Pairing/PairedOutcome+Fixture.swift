@testable import BenchHarness

extension PairedOutcome {
    /// A seeding phase and an asynchronous fetch, the latter on all cores too.
    static func fixture(
        launches: Int = 24, coreCount: Int = 2, options: ComparisonOptions = ComparisonOptions()
    ) -> PairedOutcome {
        var scenario = FakeDriver.scenario
        scenario.isolation = .process
        scenario.phases = [
            Phase(name: "seed", from: .empty, work: .seed(SeedWork())),
            Phase(name: "fetch", from: .seeded, work: .fetch(FetchWork(mode: .async))),
        ]
        let contest = PairedRequest.Contest(base: "fake", new: "fake")
        let program = PairedRequest.Program(title: "bench", command: [])
        var request = PairedRequest(scenario: scenario, contests: [contest], base: program, new: program)
        request.launches = launches
        let bouts = scenario.stretches.map { Bout(contest: contest, phases: $0, scenario: scenario) }
        return PairedOutcome(
            request: request,
            bouts: bouts.flatMap { [$0, coreCount > 1 ? $0.onAllCores : nil].compactMap(\.self) },
            options: options, coreCount: coreCount)
    }

    /// Adds launches to a bout.
    mutating func add(
        _ count: Int, to index: Int, ratio: Double = 1, work: Double = 0.9, core: Int? = 0,
        surroundings: Surroundings = .quiet, tick: Int = 1, oddities: Launch.Oddities = Launch.Oddities()
    ) {
        for _ in 0..<count {
            let number = launches[index].count + 1
            let launch = Launch.fixture(
                number, of: bouts[index], ratio: ratio, work: work, core: core, surroundings: surroundings, tick: tick,
                oddities: oddities)
            add(launch, to: index)
        }
    }
}
