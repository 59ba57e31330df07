import BenchHarness
import Foundation

/// The instructions of every phase and driver, of one build or of two, and the verdicts.
public struct InstructionOutcome: Sendable {
    let request: InstructionRequest
    /// By phase, and within a phase by driver.
    private(set) var figures: [InstructionFigure] = []

    init(_ request: InstructionRequest) {
        self.request = request
        for (index, phase) in request.scenario.phases.enumerated() where request.isWanted(index) {
            figures += request.drivers.map { driver in
                InstructionFigure(driver: driver, phase: phase, base: request.base.map { _ in InstructionCounts() })
            }
        }
    }

    mutating func add(_ counted: InstructionCounts.Repetition, _ driver: String, _ phase: Int, _ side: Side) {
        let name = request.scenario.phases[phase].name
        guard let index = figures.firstIndex(where: { $0.driver == driver && $0.phase.name == name }) else { return }
        switch side {
        case .base: figures[index].base?.add(counted)
        case .new: figures[index].new.add(counted)
        }
    }

    /// The outcome as a whole. One build alone is not judged: it passes unless a phase failed.
    public var outcome: Comparison.Outcome {
        if figures.contains(where: { !$0.failures.isEmpty }) { return .failed }
        let verdicts = Set(figures.map(verdict))
        if verdicts.contains(.regressed) { return .regressed }
        if verdicts.contains(.insufficientData) { return .insufficientData }
        if request.base != nil, verdicts.isSubset(of: [.notJudged]) { return .insufficientData }
        return verdicts.contains(.inconclusive) ? .inconclusive : .passed
    }

    func verdict(_ figure: InstructionFigure) -> Verdict {
        let verdict = figure.verdict(threshold: request.threshold)
        guard verdict == .regressed, let share = request.accepted.share(key(figure)), let ratio = figure.ratio,
            ratio <= 1 + share
        else { return verdict }
        return .accepted
    }

    /// Returns who accepts how much of a figure that grew, and why; empty if nothing of it is accepted.
    func acceptance(_ figure: InstructionFigure) -> String {
        let isGrown = [.accepted, .regressed].contains(verdict(figure))
        return isGrown ? request.accepted.text(key(figure)) : ""
    }

    func key(_ figure: InstructionFigure) -> ComparisonKey {
        ComparisonKey(
            scenario: request.scenario.name, driver: figure.driver, phase: figure.phase.name, mode: figure.phase.mode)
    }

    /// Returns the instructions of a figure over those of the baseline at the same phase; nil for the baseline itself,
    /// or without its count.
    func ratio(_ figure: InstructionFigure) -> Double? {
        guard figure.driver != SummaryTable.baseline,
            let baseline = figures.first(where: {
                $0.driver == SummaryTable.baseline && $0.phase.name == figure.phase.name
            })?.new.median, let own = figure.new.median, baseline > 0
        else { return nil }
        return Double(own) / Double(baseline)
    }
}
