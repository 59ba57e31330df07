import BenchHarness
import Foundation

/// Runs the gate again and again, in the condition that has had the least time so far: what is decided soon is tried
/// more often.
struct StudySitting {
    let log: StudyLog
    let scenario: Scenario
    /// Those that are tried.
    let conditions: [StudyCondition]
    /// This program, and the same with code that is never run.
    let programs: (plain: String, padded: String)
    let interruption: Interruption

    private static let budget = 300.0

    /// Begins no run after `end`.
    func sit(until end: Date, onRun: ([StudyRecord]) -> Void) throws {
        var records = try log.records()
        while Date() < end, !interruption.isRequested {
            let runs = { condition in StudyRecord.runs(records.filter { $0.run.condition == condition }) }
            let seconds = { (condition: StudyCondition) in runs(condition).reduce(0) { $0 + $1[0].run.seconds } }
            guard let condition = conditions.min(by: { seconds($0) < seconds($1) }) else { return }
            let phase = scenario.phases[runs(condition).count % scenario.phases.count]
            guard let run = try condition.load.during(program: programs.plain, { try run(condition, phase) }) else {
                return
            }
            try log.append(run)
            records += run
            onRun(run)
        }
    }

    /// One run of the gate; nil when it was stopped.
    ///
    /// Where one phase is slower only that is looked at: what the others come to does not say whether it is caught. It
    /// is judged as strictly as it would be beside the others.
    private func run(_ condition: StudyCondition, _ phase: Phase) throws -> [StudyRecord]? {
        let scratch = try ScratchFolder(in: FileManager.default.temporaryDirectory)
        defer { scratch.remove() }
        var options = ComparisonOptions()
        (options.pairing, options.relation) = (.paired, .absolute)
        var alpha = ComparisonOptions.alphaOfTurns
        var isSlower = false
        if case .slower = condition.variant {
            isSlower = true
            options.phases = [phase.name]
            alpha /= Double(scenario.phases.count)
        }
        options.alpha = alpha
        let start = Date()
        let paired = PairedRun(request(condition.variant, phase), options, in: scratch.url, interruption: interruption)
        guard let outcome = try paired.run(onProgress: { _ in }) else { return nil }
        let seconds = Date().timeIntervalSince(start)
        let run = StudyRun(
            id: scratch.url.lastPathComponent, started: start.ISO8601Format(), commit: outcome.commit ?? "",
            condition: condition, slowed: isSlower ? phase.name : "", seconds: seconds)
        // What 3 % of CPU time come to by the clock is not known.
        return outcome.decisions.filter { $0.isJudged && ($0.metric == "cpu" || !isSlower) }.map { decision in
            StudyRecord(
                run, phase: decision.phase, metric: decision.metric,
                verdict: decision.verdict?.rawValue ?? "inconclusive", ratio: decision.ratio,
                launchRatios: decision.launchRatios)
        }
    }

    private func request(_ variant: StudyVariant, _ phase: Phase) -> PairedRequest {
        let plain = StudyDriver.all[0].name
        var contest = PairedRequest.Contest(base: plain, new: plain)
        var new = programs.plain
        switch variant {
        case .unchanged: break
        case .layout: new = programs.padded
        case .slower(let percent): contest.new = StudyDriver.name(kind: phase.kind, percent: percent)
        }
        var request = PairedRequest(
            scenario: scenario, contests: [contest],
            base: PairedRequest.Program(title: "base", command: [programs.plain, "__turns"]),
            new: PairedRequest.Program(title: "new", command: [new, "__turns"]))
        // What a CI job can spend; on one of several phases, its share of that.
        request.budgetSeconds = Self.budget
        if case .slower = variant { request.budgetSeconds /= Double(scenario.phases.count) }
        return request
    }
}
