import BenchHarness
import Foundation

/// Searches a line of commits for the one that slowed a phase: each takes turns with the good one.
struct BisectRun {
    /// The turns, without their programs.
    let plan: ABPlan
    let explaining: ExplainOptions
    let builds: CommitBuilds
    let good: Commit
    /// The commits after the good one, the bad one last.
    let line: [Commit]
    let scratch: URL
    let console: Console
    let isQuiet: Bool
    let interruption: Interruption

    /// What became of a commit that was tried.
    struct Trial {
        let commit: Commit
        let finding: Bisection.Finding
        /// The figures, or why there are none.
        let text: String
    }

    /// What the search came to.
    enum Answer {
        /// The commits that may be the first bad one, and the change between the good one before and the last of them.
        case found(suspects: [Commit], before: Commit, Change, explanation: String)
        /// The bad commit is not worse than the good one.
        case noRegression(Comparison)
        /// It cannot be told whether the bad commit is worse.
        case undecided(Comparison)
    }

    /// The figures of two commits that are looked at.
    struct Change {
        let figures: [JudgedFigure]
        var isRegression: Bool { figures.contains { $0.verdict == .regressed } }
        var text: String { figures.map { "\($0.name) \($0.change)" }.joined(separator: ", ") }
    }

    func run() throws -> (answer: Answer, trials: [Trial]) {
        let bad = line[line.count - 1]
        let comparison = try compare(try required(good), try required(bad)) {
            ![.inconclusive, .insufficientData].contains($0.outcome)
        }
        let worse = Set(comparison.judgedFigures.filter { $0.verdict == .regressed }.map(\.name))
        switch comparison.outcome {
        case .failed: throw RunError(.phase, "\(bad): \(comparison.conclusion)")
        case .passed: return (.noRegression(comparison), [])
        case .inconclusive, .insufficientData: return (.undecided(comparison), [])
        case .regressed: break
        }
        var trials = [Trial(commit: bad, finding: .bad, text: change(comparison, worse).text)]
        show(trials[0], open: line.count)
        var bisection = Bisection(count: line.count)
        while let next = bisection.next {
            let trial = try self.trial(of: line[next - 1], worse)
            bisection.note(trial.finding, of: next)
            trials.append(trial)
            show(trial, open: bisection.suspects.count)
        }
        let suspects = bisection.suspects.map { line[$0 - 1] }
        let before = bisection.lastGood == 0 ? good : line[bisection.lastGood - 1]
        let last = suspects[suspects.count - 1]
        let isKnown = before == good && last == bad
        let step = isKnown ? comparison : try compare(side(before), side(last)) { !isOpen($0, worse) }
        let explanation = try explanation(of: step, side(before), side(last))
        return (.found(suspects: suspects, before: before, change(step, worse), explanation: explanation), trials)
    }

    /// What moved from one side to the other, and why nothing more is known of it.
    private func explanation(
        of step: Comparison, _ base: PairedRequest.Program, _ new: PairedRequest.Program
    ) -> String {
        var (step, request) = (step, plan.request)
        (request.base, request.new) = (base, new)
        let known = step.notes.count
        explaining.explain(
            &step, request, in: scratch, interruption, InstructionProgress(console: console, isQuiet: isQuiet))
        return ComparisonText(step).explanation + step.notes.dropFirst(known).map { "note: \($0)\n" }.joined()
    }

    // MARK: - One commit

    private func trial(of commit: Commit, _ worse: Set<String>) throws -> Trial {
        let skipped = { (text: String) in Trial(commit: commit, finding: .skipped, text: text) }
        do {
            let comparison = try compare(side(good), side(commit)) { !isOpen($0, worse) }
            let change = change(comparison, worse)
            if comparison.outcome == .failed { return skipped(comparison.conclusion) }
            if change.isRegression { return Trial(commit: commit, finding: .bad, text: change.text) }
            if isOpen(comparison, worse) {
                return skipped("inconclusive with twice the budget: \(change.text)")
            }
            return Trial(commit: commit, finding: .good, text: change.text)
        } catch let failure as CommitBuilds.Failure {
            return skipped(failure.reason)
        } catch let error as RunError where [.process, .phase].contains(error.code) {
            return skipped(error.description)
        }
    }

    /// Whether it is open if the figures that are worse at the bad commit are worse here. A figure may not be judged
    /// here, such as the duration of a phase that does not wait; it is no obstacle if all others are fine.
    private func isOpen(_ comparison: Comparison, _ worse: Set<String>) -> Bool {
        let figures = change(comparison, worse).figures
        if figures.contains(where: { $0.verdict == .regressed }) { return false }
        let areFine = figures.allSatisfy { [.unchanged, .improved].contains($0.verdict) }
        return !areFine || (figures.count < worse.count && comparison.outcome != .passed)
    }

    private func change(_ comparison: Comparison, _ worse: Set<String>) -> Change {
        Change(figures: comparison.judgedFigures.filter { worse.contains($0.name) })
    }

    /// Lets two commits take turns; if that decides nothing, once more with twice the time.
    private func compare(
        _ base: PairedRequest.Program, _ new: PairedRequest.Program, until isDecided: (Comparison) -> Bool
    ) throws -> Comparison {
        let comparison = try compare(base, new, times: 1)
        if comparison.outcome == .failed || isDecided(comparison) { return comparison }
        return try compare(base, new, times: 2)
    }

    private func compare(
        _ base: PairedRequest.Program, _ new: PairedRequest.Program, times: Int
    ) throws -> Comparison {
        var request = plan.request
        (request.base, request.new) = (base, new)
        request.budgetSeconds *= Double(times)
        request.launches *= times
        let progress = ABProgress(console: console, isQuiet: isQuiet)
        defer { progress.end() }
        let run = PairedRun(request, plan.options, in: scratch, interruption: interruption)
        guard let outcome = try run.run(onProgress: progress.show), !interruption.isRequested else {
            throw CommitBuilds.Stopped()
        }
        return try Comparison(outcome, options: plan.options)
    }

    private func side(_ commit: Commit) throws -> PairedRequest.Program {
        if !builds.isKept(commit) { note("building \(commit)") }
        let program = try builds.bench(of: commit, interruption)
        return PairedRequest.Program(title: commit.short, command: [program, TurnsCommand.spec.name])
    }

    /// A side without which there is nothing to search.
    private func required(_ commit: Commit) throws -> PairedRequest.Program {
        do {
            return try side(commit)
        } catch let failure as CommitBuilds.Failure {
            throw UsageError("\(commit): \(failure.reason); --build \"\(builds.command)\" must work at both ends")
        }
    }

    private func show(_ trial: Trial, open: Int) {
        note("\(trial.finding) \(trial.commit): \(trial.text); \(Figure.count(open, "suspect"))")
    }

    private func note(_ text: String) {
        if !isQuiet { console.note("bench: \(text)\n") }
    }
}
