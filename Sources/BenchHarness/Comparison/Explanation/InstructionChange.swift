/// How the instructions of a phase changed from one side to the other, and in which functions.
package struct InstructionChange: Sendable {
    /// What counted them.
    package enum Source: Sendable, Equatable {
        /// Callgrind, with a store of so many records; nil for a command.
        case callgrind(records: Int?)
        /// A counter of the processor, while the phase was measured.
        case processor
    }

    let source: Source
    /// The median of the side to start from.
    let base: Double
    /// The median of the side to judge.
    let new: Double
    /// Whether both are ratios to another driver.
    let isRelative: Bool
    /// Whether the instructions grew (regressed), fell (improved), stayed as they were, or vary too much to tell.
    let verdict: Verdict
    /// How much repetitions of one side differ, as a share of the base.
    let spread: Double
    /// The functions that grew most; none unless the instructions grew.
    let functions: [FunctionGrowth]

    var ratio: Double { new / base }

    /// The share by which instructions differ without a reason that counts.
    package static let defaultThreshold = 0.005

    package init(
        source: Source, base: Double, new: Double, isRelative: Bool, verdict: Verdict, spread: Double,
        functions: [FunctionGrowth]
    ) {
        self.source = source
        self.base = base
        self.new = new
        self.isRelative = isRelative
        self.verdict = verdict
        self.spread = spread
        self.functions = functions
    }

    /// Takes what the processor counted, from the judgement of the column; nil if a side has none.
    init?(_ judgement: Judgement, threshold: Double = Self.defaultThreshold) {
        guard let before = judgement.base, let after = judgement.new, before.median > 0 else { return nil }
        source = .processor
        (base, new, isRelative) = (before.median, after.median, judgement.isRelative)
        spread = max(before.max - before.min, after.max - after.min) / before.median
        functions = []
        let change = after.median / before.median - 1
        if abs(change) <= threshold {
            verdict = .unchanged
        } else if before.max < after.min || after.max < before.min {
            verdict = change > 0 ? .regressed : .improved
        } else {
            verdict = .inconclusive
        }
    }

    /// The change in words, beside that of a time if one changed.
    func text(_ time: TimeChange?) -> String {
        switch (verdict, time) {
        case (.inconclusive, _):
            "instructions \(change), but they vary by \(Figure.percent(spread)) (\(counts))"
        case (.unchanged, let time?):
            "\(time.text), instructions did not (\(change), \(counts)): \(Self.hint)"
        case (.improved, let time?) where time.isWorse:
            "\(time.text), instructions fell (\(change), \(counts)): \(Self.hint)"
        default: "instructions \(change) (\(counts))"
        }
    }

    /// What slows a program down without more instructions.
    private static let hint = "look at memory, caches, waiting, or the layout of the code"

    private var change: String { Figure.preciseChange(ratio) }

    private var counts: String {
        let values = [base, new].map { isRelative ? Figure.ratio($0) : Figure.count(Int(flooring: $0)) }.joined(
            separator: " → ")
        return switch source {
        case .callgrind(let records?): "\(values) at \(Figure.count(records, "record")), under callgrind"
        case .callgrind(nil): "\(values), under callgrind"
        case .processor: "\(values), counted by the processor"
        }
    }
}

/// A time of a phase that changed.
struct TimeChange: Sendable, Equatable {
    /// What it is called, such as `CPU time`.
    let name: String
    /// New over base.
    let ratio: Double

    var isWorse: Bool { ratio > 1 }

    /// The change as the beginning of a sentence.
    var text: String { "\(name) \(isWorse ? "grew" : "fell") by \(Figure.percent(abs(ratio - 1)))" }
}
