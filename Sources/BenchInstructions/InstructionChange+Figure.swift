import BenchHarness

extension InstructionChange {
    /// Takes what callgrind counted; nil if a side has no count.
    init?(_ figure: InstructionFigure, records: Int, threshold: Double = Self.defaultThreshold) {
        guard let base = figure.base else { return nil }
        self.init(from: base, to: figure.new, records: records, threshold: threshold)
    }

    /// Takes what callgrind counted of both sides; nil if one has no count.
    ///
    /// - Parameter records: The records of the store; nil for commands.
    init?(
        from base: InstructionCounts, to new: InstructionCounts, records: Int?,
        threshold: Double = Self.defaultThreshold
    ) {
        guard let before = base.median, let after = new.median, before > 0 else { return nil }
        let verdict = new.verdict(from: base, threshold: threshold)
        self.init(
            source: .callgrind(records: records), base: Double(before), new: Double(after), isRelative: false,
            verdict: verdict, spread: Double(base.range + new.range) / Double(before),
            functions: verdict == .regressed ? new.grownFunctions(from: base) : [])
    }
}
