import BenchHarness
import Foundation

/// Runs the gate again and again, in the condition that has had the least time so far: what is decided soon is tried
/// more often.
struct StudySitting {
    let log: StudyLog
    let scenario: Scenario
    /// Those that are tried.
    let conditions: [StudyCondition]
    /// What makes the other work.
    let program: String
    /// This program in many layouts, in the order of their numbers.
    let layouts: [URL]
    let interruption: Interruption

    private static let budget = 300.0

    /// Begins no run after `end`.
    func sit(until end: Date, onRun: ([StudyRecord]) -> Void) throws {
        var records = try log.records()
        while Date() < end, !interruption.isRequested {
            let runs = { condition in StudyRecord.runs(records.filter { $0.run.condition == condition }) }
            let seconds = { (condition: StudyCondition) in runs(condition).reduce(0) { $0 + $1[0].run.seconds } }
            guard let condition = conditions.min(by: { seconds($0) < seconds($1) }) else { return }
            let count = runs(condition).count
            let phases = scenario.phases.filter { condition.variant.slowdown?.slows($0.kind) ?? true }
            let phase = phases[count % phases.count]
            let sides = programs(condition.variant, count)
            guard let run = try condition.load.during(program: program, { try run(condition, phase, sides) }) else {
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
    private func run(_ condition: StudyCondition, _ phase: Phase, _ sides: [URL]) throws -> [StudyRecord]? {
        let scratch = try ScratchFolder(in: FileManager.default.temporaryDirectory)
        defer { scratch.remove() }
        var options = ComparisonOptions()
        (options.pairing, options.relation) = (.paired, .absolute)
        var alpha = ComparisonOptions.alphaOfTurns
        let isSlower = condition.variant.slowdown != nil
        if isSlower {
            options.phases = [phase.name]
            alpha /= Double(scenario.phases.count)
        }
        options.alpha = alpha
        let start = Date()
        let paired = PairedRun(request(condition, phase, sides), options, in: scratch.url, interruption: interruption)
        guard let outcome = try paired.run(onProgress: { _ in }) else { return nil }
        let seconds = Date().timeIntervalSince(start)
        let run = StudyRun(
            id: scratch.url.lastPathComponent, started: start.ISO8601Format(), commit: outcome.commit ?? "",
            condition: condition, layouts: sides.map(\.lastPathComponent).joined(separator: " "),
            processor: HostFacts().cpuModel ?? "", slowed: isSlower ? phase.name : "", seconds: seconds)
        return outcome.decisions.filter { $0.isJudged && condition.variant.changes($0.metric) }.map { decision in
            StudyRecord(
                run, phase: decision.phase, metric: decision.metric,
                verdict: decision.verdict?.rawValue ?? "inconclusive", ratio: decision.ratio,
                launchRatios: decision.launchRatios)
        }
    }

    /// The program of both sides, or that of each: the layouts in turn, since one of them is one sample of what chance
    /// makes of a program.
    private func programs(_ variant: StudyVariant, _ count: Int) -> [URL] {
        let sides = variant == .layout ? [count, count + 1] : [count]
        return sides.map { layouts[$0 % layouts.count] }
    }

    private func request(_ condition: StudyCondition, _ phase: Phase, _ sides: [URL]) -> PairedRequest {
        let plain = condition.store.rawValue
        var contest = PairedRequest.Contest(base: plain, new: plain)
        if let slowdown = condition.variant.slowdown {
            contest.new = StudyDriver.name(store: plain, kind: phase.kind, slowdown)
        }
        let commands = sides.map { [$0.path, "__turns"] }
        var request = PairedRequest(
            scenario: scenario, contests: [contest],
            base: PairedRequest.Program(title: "base", command: commands[0]),
            new: PairedRequest.Program(title: "new", command: commands[commands.count - 1]))
        // What a CI job can spend; on one of several phases, its share of that.
        request.budgetSeconds = Self.budget
        if condition.store == .server {
            request.driversOnServers = [contest.base, contest.new]
            request.budgetSeconds *= 2
        }
        if condition.variant.slowdown != nil { request.budgetSeconds /= Double(scenario.phases.count) }
        return request
    }
}
