import BenchHarness

extension InstructionChange {
    /// Takes what callgrind counted; nil if a side has no count.
    init?(_ figure: InstructionFigure, records: Int, threshold: Double = Self.defaultThreshold) {
        guard let before = figure.base?.median, let after = figure.new.median, before > 0 else { return nil }
        let verdict = figure.verdict(threshold: threshold)
        self.init(
            source: .callgrind(records: records), base: Double(before), new: Double(after), isRelative: false,
            verdict: verdict, spread: Double((figure.base?.range ?? 0) + figure.new.range) / Double(before),
            functions: verdict == .regressed ? figure.grownFunctions : [])
    }
}
