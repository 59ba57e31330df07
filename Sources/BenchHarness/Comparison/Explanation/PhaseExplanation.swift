import Foundation

/// What moved in a phase whose figures changed: counters, instructions, and the functions that take more of them.
package struct PhaseExplanation: Sendable {
    package let key: ComparisonKey
    /// The time that changed; nil if only counters did.
    let time: TimeChange?
    /// The counters that moved; nil if they were not looked for.
    let counters: [MovedCounter]?
    /// Nil if nothing counted the instructions of both sides.
    let instructions: InstructionChange?

    var title: String { "what moved in \(key.phase) of \(key.driver)" }

    /// What was found, a line each, without the functions.
    package var findings: [String] {
        let counters = counters.map { counters in
            counters.isEmpty ? "counters: none moved" : "counters: \(counters.map(\.text).joined(separator: ", "))"
        }
        return [counters, instructions?.text(time), functions.isEmpty ? nil : Self.functionsTitle].compactMap(\.self)
    }

    private static let functionsTitle =
        "the functions that grew most, with what they use of libraries, in percent of the phase:"

    /// The functions that take more instructions, the largest growth first, each with its growth: in percent of the
    /// phase, and in instructions.
    var functions: [(share: String, growth: String, name: String)] {
        guard let instructions else { return [] }
        return instructions.functions.map { function in
            (
                Figure.preciseChange(1 + Double(function.growth) / instructions.base),
                "+\(Figure.count(function.growth))", function.function
            )
        }
    }

    /// The explanation for a terminal: a title and indented lines.
    var text: String {
        let found = findings.map { "  \($0)\n" } + functions.map { "    \($0.share)  \($0.growth)  \($0.name)\n" }
        return "\(title):\n" + found.joined()
    }

    /// The explanation for a pull request, as a list.
    var markdown: String {
        let found =
            findings.map { "- \($0.escapedForMarkdown)\n" }
            + functions.map { "  - \($0.share), \($0.growth): \($0.name.escapedForMarkdown)\n" }
        return "**\(title.escapedForMarkdown)**\n\n" + found.joined()
    }
}

extension Comparison {
    /// What moved in each phase that regressed, and in each whose time changed without its instructions.
    package var explanations: [PhaseExplanation] {
        let changed = judgements.filter(\.isWorthExplaining)
        return changed.map(\.key).withoutRepeats.compactMap { key in
            explanation(of: key, changed.filter { $0.key == key })
        }
    }

    /// Explains a phase by its figures that changed.
    private func explanation(of key: ComparisonKey, _ changed: [Judgement]) -> PhaseExplanation? {
        let time = changed.timeChange
        let recorded = judgements.first { $0.key == key && $0.metric.column == FigureColumn.instructions.column }
        let instructions = counted[CountedPhase(key)] ?? recorded.flatMap { InstructionChange($0) }
        guard changed.contains(where: { $0.verdict == .regressed }) else {
            guard let time, let instructions, instructions.verdict == .unchanged else { return nil }
            return PhaseExplanation(key: key, time: time, counters: nil, instructions: instructions)
        }
        let counters = movedCounters(key)
        // The table has the exact ones.
        if time == nil, instructions == nil, counters.allSatisfy({ $0.figure.kind == .exact }) { return nil }
        return PhaseExplanation(key: key, time: time, counters: counters, instructions: instructions)
    }

    /// Sides on different machines count in different ways, but for exact counters.
    private func movedCounters(_ key: ComparisonKey) -> [MovedCounter] {
        let inexact = judgements.filter { $0.key == key && $0.metric.isExact && $0.verdict == .notJudged }
            .filter { !$0.reason.isEmpty }.map(\.metric.column)
        let figures = MovedCounter.figures.filter { figure in
            figure.kind == .exact ? !inexact.contains(figure.column) : baseline == nil
        }
        return MovedCounter.all(of: figures, from: base.evidenceRows(key), to: new.evidenceRows(key))
    }
}

/// A phase of a driver whose instructions are counted, by its name in its variant of the scenario: it has one count
/// for all sizes and for all cores.
package struct CountedPhase: Sendable, Hashable, CustomStringConvertible {
    package let phase: String
    package let driver: String

    package init(_ key: ComparisonKey) {
        phase = SizedName(key.phase).variant
        driver = key.driver
    }

    package var description: String { "\(phase) of \(driver)" }
}

extension ComparisonSide {
    fileprivate func evidenceRows(_ key: ComparisonKey) -> [ResultRow] {
        runs.flatMap(\.rows).filter { $0.isEvidence && ComparisonKey($0) == key }
    }
}

extension Judgement {
    /// Whether other figures may explain the change of this one: memory has reasons of its own.
    fileprivate var isWorthExplaining: Bool {
        switch verdict {
        case .regressed: metric.isOfSpeed || metric.isExact
        case .improved, .accepted: metric.isOfSpeed
        default: false
        }
    }
}

extension [Judgement] {
    /// The time among figures that changed that says most of the instructions: one that regressed, of these the CPU
    /// time.
    fileprivate var timeChange: TimeChange? {
        let times = filter(\.metric.isOfSpeed)
        let worse = times.filter { $0.verdict == .regressed }
        let candidates = worse.isEmpty ? times : worse
        let best = candidates.first { $0.metric.name == Metric.cpu.name } ?? candidates.first
        return best.flatMap { judgement in
            judgement.ratio.map { ratio in
                TimeChange(name: judgement.metric.label, ratio: judgement.metric.isHigherBetter ? 1 / ratio : ratio)
            }
        }
    }
}
