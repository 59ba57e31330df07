import Testing

@testable import BenchHarness

@Suite struct BoutTests {
    private func bout(_ works: [Phase.Work]) -> Bout {
        var scenario = FakeDriver.scenario
        scenario.phases = works.enumerated().map { Phase(name: "p\($0)", from: .seeded, work: $1) }
        return Bout(
            contest: PairedRequest.Contest(base: "a", new: "b"), phases: scenario.phases.indices, scenario: scenario)
    }

    private func load(workers: Int, _ source: LoadWork.Source = .mix(MixSpec(operations: [.read: 1]))) -> Phase.Work {
        .load(LoadWork(source: source, workers: workers, pace: PaceSpec(operations: 1)))
    }

    private var watched: LoadWork.Source {
        .saves(SaveSpec(mode: .notifications, insertsPerSave: 1, changesPerSave: 0, deletesPerSave: 0, set: []))
    }

    @Test func onOneCoreAllPhasesAreJudgedByAllFigures() {
        let bout = bout([.seed(SeedWork()), load(workers: 2)])
        #expect(bout.judgedPhases == [0, 1] && bout.figureCount == 4)
        #expect(bout.figures(of: 1).map(\.metric) == ["cpu", "duration"])
        #expect(bout.key(1).phase == "p1" && bout.key(1).driver == "a → b")
    }

    @Test func onAllCoresTheDurationOfPhasesThatUseSeveralIsJudged() throws {
        let merge = MergeWork(
            writers: 1, savesPerWriter: 1, insertsPerSave: 1, changesPerSave: 0, deletesPerSave: 0, set: [])
        let works: [Phase.Work] = [
            .seed(SeedWork()), .fetch(FetchWork(mode: .async)), .fetch(FetchWork(mode: .sync)), .merge(merge),
            load(workers: 1), load(workers: 2), load(workers: 1, watched), .checkpoint,
        ]
        let bout = try #require(bout(works).onAllCores)
        #expect(bout.judgedPhases == [1, 3, 5, 6] && bout.figures(of: 3).map(\.metric) == ["duration"])
        #expect(bout.figures(of: 3)[0].threshold == 0.05 && bout.key(3).phase == "p3@all-cores")
        #expect(bout.figures(of: 5).map(\.metric) == ["duration", "latency_p50", "latency_p99"])
    }

    /// On one core a load is a closed loop, whose CPU time has no pauses in it.
    @Test(arguments: [(6_400, 640), (100_000, 2_000), (5, 4)])
    func onAllCoresALoadKeepsItsRate(rate: Double, operations: Int) throws {
        var load = LoadWork(
            source: .mix(MixSpec(operations: [.read: 1])), workers: 4, pace: PaceSpec(durationSeconds: 60))
        load.pace.rate = RateSpec(perSecond: rate, ramp: .init(fromPerSecond: 1, seconds: 30))
        let whole = bout([.load(load)])
        var cut = whole
        cut.scenario?.phases[0].cut(to: 2_000)
        let scenario = try #require(whole.scenario)
        let paced = try #require(cut.onAllCores?.paced(as: scenario))
        let (slow, fast) = (paced.scenario?.phases[0].work.content, cut.scenario?.phases[0].work.content)
        #expect((slow as? LoadWork)?.pace.rate == RateSpec(perSecond: rate))
        #expect((slow as? LoadWork)?.pace.operations == operations)
        #expect((fast as? LoadWork)?.pace.rate == nil && (fast as? LoadWork)?.pace.operations == 2_000)
    }

    @Test func phasesOfOneThreadAreNotDoneOnAllCores() {
        #expect(bout([.seed(SeedWork()), load(workers: 1), .checkpoint]).onAllCores == nil)
    }
}
