import Foundation

/// Launches both sides, again and again, until every figure is decided or the budget is spent.
public final class PairedRun {
    /// What happened, for those who watch.
    public struct Progress: Sendable {
        /// What was launched: the phases and their driver.
        public let title: String
        /// How often it was launched so far.
        public let launches: Int
        /// How many phases are decided.
        public let decided: Int
        /// How many phases there are.
        public let phases: Int
        /// Seconds of the budget that are left.
        public let secondsLeft: Double
    }

    private let request: PairedRequest
    private let options: ComparisonOptions
    private var source: any LaunchSource
    private let clock = MonotonicClock()
    private var outcome: PairedOutcome

    /// Prepares a run whose files lie in `folder`; `options` say what is judged.
    public init(_ request: PairedRequest, _ options: ComparisonOptions, in folder: URL, interruption: Interruption) {
        self.request = request
        self.options = options
        let id = ScratchFolder.tag()
        switch request.subject {
        case .scenario(let scenario):
            source = ScenarioLaunches(request, of: scenario, options, id: id, in: folder, interruption: interruption)
        case .commands(let commands):
            source = CommandLaunches(request, of: commands, id: id, in: folder, interruption: interruption)
        }
        outcome = PairedOutcome(request: request, bouts: [], options: options)
    }

    /// Runs. Blocks; not to be called on the main thread, whose queue drivers may use.
    ///
    /// - Returns: What it came to; nil when it was stopped.
    public func run(onProgress: (Progress) -> Void) throws -> PairedOutcome? {
        let deadline = Double(clock.now()) + request.budgetSeconds * 1e9
        let coreCount = Cores.system.allowed.count
        do {
            outcome = PairedOutcome(
                request: request, bouts: try source.bouts(until: deadline), options: options,
                coreCount: coreCount == 0 ? nil : coreCount)
            outcome.facts = source.notes
            while true {
                let open = outcome.openBouts
                if open.isEmpty { break }
                for index in open {
                    let left = (deadline - Double(clock.now())) / 1e9
                    // One launch on one core there must be, or nothing was seen at all.
                    let isNeeded = outcome.launches[index].isEmpty && outcome.bouts[index].pinning == .core
                    if left <= 0, !isNeeded { return outcome }
                    let launches = try source.launches(
                        of: outcome.bouts[index], at: index, after: outcome.launches[index].count,
                        waits: outcome.waits(index), until: deadline)
                    for launch in launches { outcome.add(launch, to: index) }
                    onProgress(progress(index, secondsLeft: max(left, 0)))
                }
            }
        } catch is Interrupted {
            return nil
        }
        return outcome
    }

    private func progress(_ index: Int, secondsLeft: Double) -> Progress {
        let bout = outcome.bouts[index]
        let names = bout.phases.map(bout.name).joined(separator: ", ")
        return Progress(
            title: "\(names) of \(bout.contest.name)", launches: outcome.launches[index].count,
            decided: outcome.decidedCount, phases: outcome.phaseCount, secondsLeft: secondsLeft)
    }
}
