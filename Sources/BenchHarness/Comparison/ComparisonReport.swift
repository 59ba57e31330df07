import Foundation

/// A comparison as JSON for programs: the same verdicts, and every figure whether judged or not. Names include units.
struct ComparisonReport: Encodable {
    struct Side: Encodable {
        var files: [String]
        var commits: [String]
        var repetitions: Int
        var failed: Int
    }

    struct Figure: Encodable {
        var scenario: String
        var driver: String
        var phase: String
        var mode: String
        var metric: String
        var column: String
        var label: String
        var unit: String
        var base: SampleFigures?
        var new: SampleFigures?
        var ratio: Double?
        var ratioLow: Double?
        var ratioHigh: Double?
        var p: Double?
        var pAdjusted: Double?
        var thresholdPercent: Double
        var noiseFloorPercent: Double?
        var limitPercent: Double
        /// The smallest slowdown that such repetitions mostly show.
        var smallestSlowdownPercent: Double?
        var verdict: Verdict
        var reason: String?
    }

    /// What moved in a phase that changed.
    struct Explanation: Encodable {
        struct Counter: Encodable {
            var column: String
            var label: String
            var unit: String
            var base: Double
            var new: Double
            var ratio: Double?
        }

        struct Instructions: Encodable {
            var source: String
            var records: Int?
            var base: Double
            var new: Double
            var ratio: Double
            var spreadPercent: Double
            var verdict: Verdict
        }

        var scenario: String
        var driver: String
        var phase: String
        var mode: String
        var findings: [String]
        /// Nil if they were not looked for.
        var counters: [Counter]?
        /// Nil if nothing counted them.
        var instructions: Instructions?
        /// Those that take more instructions, with what they use of libraries.
        var functions: [FunctionGrowth]
    }

    struct Shown: Encodable {
        var power: Double
        var repetitions: Int
        var medianPercent: Double
        var worstPercent: Double
        var worstFigure: String
    }

    var version = 1
    var outcome: Comparison.Outcome
    var inconclusive: Int
    var conclusion: String
    var alpha: Double
    var tests: Int
    var relativeTo: String?
    var base: Side
    var new: Side
    var notes: [String]
    /// The slowdowns that repetitions that lie apart show; nil for sides that took turns.
    var sensitivity: Shown?
    var figures: [Figure]
    var explanations: [Explanation]

    init(_ comparison: Comparison) {
        outcome = comparison.outcome
        inconclusive = comparison.count(.inconclusive)
        conclusion = ComparisonText(comparison).conclusion
        alpha = comparison.alpha
        tests = comparison.testCount
        relativeTo = comparison.baseline
        base = Side(comparison.base)
        new = Side(comparison.new)
        notes = comparison.notes
        sensitivity = comparison.sensitivity.map(Shown.init)
        figures = comparison.judgements.map(Figure.init)
        explanations = comparison.explanations.map(Explanation.init)
    }
}

extension ComparisonReport.Side {
    fileprivate init(_ side: ComparisonSide) {
        files = side.runs.map(\.name)
        commits = side.runs.compactMap { $0.manifest?.git?.commit }
        repetitions = side.repetitions
        failed = side.failures.count
    }
}

extension ComparisonReport.Shown {
    fileprivate init(_ sensitivity: Sensitivity) {
        power = Sensitivity.power
        repetitions = sensitivity.repetitions
        medianPercent = sensitivity.median * 100
        worstPercent = sensitivity.worst * 100
        worstFigure = sensitivity.worstFigure
    }
}

extension ComparisonReport.Figure {
    fileprivate init(_ judgement: Judgement) {
        scenario = judgement.key.scenario
        driver = judgement.key.driver
        phase = judgement.key.phase
        mode = judgement.key.mode
        metric = judgement.metric.name
        column = judgement.metric.column
        label = judgement.metric.figure.label
        unit = judgement.isRelative ? "ratio" : judgement.metric.unit.rawValue
        base = judgement.base.map(SampleFigures.init)
        new = judgement.new.map(SampleFigures.init)
        ratio = judgement.ratio
        ratioLow = judgement.interval?.lowerBound
        ratioHigh = judgement.interval?.upperBound
        p = judgement.p
        pAdjusted = judgement.adjustedP
        thresholdPercent = judgement.threshold * 100
        noiseFloorPercent = judgement.noiseFloor.map { $0 * 100 }
        limitPercent = judgement.limit * 100
        smallestSlowdownPercent = judgement.smallestSlowdown.map { $0 * 100 }
        verdict = judgement.verdict
        reason = judgement.explanation.isEmpty ? nil : judgement.explanation
    }
}

extension ComparisonReport.Explanation {
    fileprivate init(_ explanation: PhaseExplanation) {
        scenario = explanation.key.scenario
        driver = explanation.key.driver
        phase = explanation.key.phase
        mode = explanation.key.mode
        findings = explanation.findings
        counters = explanation.counters.map { $0.map(Counter.init) }
        instructions = explanation.instructions.map(Instructions.init)
        functions = explanation.instructions?.functions ?? []
    }
}

extension ComparisonReport.Explanation.Counter {
    fileprivate init(_ counter: MovedCounter) {
        column = counter.figure.column
        label = counter.figure.label
        unit = counter.figure.unit.rawValue
        base = counter.base
        new = counter.new
        ratio = counter.ratio
    }
}

extension ComparisonReport.Explanation.Instructions {
    fileprivate init(_ change: InstructionChange) {
        switch change.source {
        case .callgrind(let count): (source, records) = ("callgrind", count)
        case .processor: source = "processor"
        }
        base = change.base
        new = change.new
        ratio = change.ratio
        spreadPercent = change.spread * 100
        verdict = change.verdict
    }
}

extension Comparison {
    /// The comparison as a JSON object.
    public func json() throws -> String {
        String(decoding: try JSONFile.text(ComparisonReport(self)), as: UTF8.self)
    }
}
