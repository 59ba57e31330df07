import Testing

@testable import BenchHarness

/// When a run whose number of repetitions is open stops.
@Suite struct StoppingTests {
    /// A clock that stands still between the repetitions.
    private final class StepClock: NanosecondClock, @unchecked Sendable {
        // Unchecked: used by one test on one thread.
        var time = 0
        func now() -> Int { time }
    }

    private func row(_ repetition: Int, cpu: Int, phase: String = "fetch") -> ResultRow {
        var row = ResultRow()
        (row.driver, row.phase, row.repetition) = ("d", phase, repetition)
        (row.cpuUser, row.cpuSystem) = (cpu, 0)
        return row
    }

    /// Runs repetitions of ten seconds until the rule stops them; `cpu` is their CPU time.
    private func run(_ rule: StoppingRule, most: Int = 100, cpu: (Int) -> Int) -> StoppingOutcome? {
        let clock = StepClock()
        var stopping = Stopping(rule, clock: clock)
        var rows: [ResultRow] = []
        for repetition in 1...most where stopping.outcome == nil {
            clock.time += 10_000_000_000
            rows.append(row(repetition, cpu: cpu(repetition)))
            stopping.note(repetition, of: most, rows)
        }
        return stopping.outcome
    }

    @Test func theBudgetLeavesTimeForWholeRepetitions() {
        let outcome = run(StoppingRule(budgetSeconds: 45)) { _ in 100 }
        #expect(outcome?.reason == .budget && outcome?.repetitions == 4 && outcome?.seconds == 40)
        #expect(outcome?.text == "stopped after 4 repetitions: the time is spent")
        // One is always made.
        #expect(run(StoppingRule(budgetSeconds: 1)) { _ in 100 }?.repetitions == 1)
    }

    @Test func narrowIntervalsStopIt() {
        let outcome = run(StoppingRule(precision: 0.02, budgetSeconds: 10_000)) { 10_000 + $0 % 3 }
        #expect(outcome?.reason == .precision && outcome?.repetitions == StoppingRule.leastRepetitions)
        #expect(outcome?.open == 0 && outcome?.widest == "cpu of d in fetch")
        #expect((outcome?.width ?? 1) < 0.001)
    }

    @Test func wideIntervalsGoOnUntilTheTimeIsSpent() {
        let outcome = run(StoppingRule(precision: 0.02, budgetSeconds: 95)) { 10_000 + 1_000 * ($0 % 2) }
        #expect(outcome?.reason == .budget && outcome?.repetitions == 9 && outcome?.open == 1)
        #expect(outcome?.text.contains("1 figure is wider than asked for, most of all cpu of d in fetch (±") == true)
    }

    @Test func moreRepetitionsNarrowTheInterval() {
        let outcome = run(StoppingRule(precision: 0.03, budgetSeconds: 10_000)) { 10_000 + 97 * ($0 * 37 % 11) }
        #expect(outcome?.reason == .precision)
        #expect((outcome?.repetitions ?? 0) > StoppingRule.leastRepetitions && (outcome?.width ?? 1) <= 0.03)
    }

    @Test func theGreatestNumberOfRepetitionsStopsItToo() {
        let outcome = run(StoppingRule(precision: 0.001, budgetSeconds: 10_000), most: 7) { $0 * 100 }
        #expect(outcome?.reason == .repetitions && outcome?.repetitions == 7)
        #expect(
            outcome?.text.hasPrefix("stopped after 7 repetitions: there may be no more, and 1 figure is wider") == true)
    }

    @Test func everyFigureCounts() {
        let rows = (1...6).flatMap { [row($0, cpu: 1_000), row($0, cpu: 1_000 * $0, phase: "seed")] }
        let widths = Stopping.widths(rows)
        #expect(widths.map(\.name) == ["cpu of d in fetch", "cpu of d in seed"])
        #expect(widths[0].width == 0 && (widths[1].width ?? 0) > 0.5)
        // A phase that failed has no figures.
        var failed = row(1, cpu: 5, phase: "merge")
        failed.status = .failed
        #expect(Stopping.widths([failed]).isEmpty)
    }
}
