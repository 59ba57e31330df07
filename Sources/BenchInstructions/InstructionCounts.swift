import BenchHarness

/// The instructions of one phase by one driver of one build, in several repetitions.
struct InstructionCounts: Sendable, Equatable {
    /// A repetition.
    struct Repetition: Sendable, Equatable {
        /// From 1.
        var number: Int
        /// The number of records of the phase; nil if unknown.
        var records: Int?
        var status: ResultRow.Status
        /// What was wrong; empty if all is well.
        var error = ""
        /// The allocations within the clock, and the bytes that they asked for; nil if unknown.
        var allocations: AllocationCount?
        /// The instructions of each function; empty unless the status is ok.
        var functions: [String: Int] = [:]
        /// The instructions of each function of the program's own modules, with those of what it uses beside them.
        var ownFunctions: [String: Int] = [:]
        /// The instructions of each part of the program; empty unless the status is ok.
        var parts: [String: Int] = [:]

        /// The instructions within the clock; nil if the phase did not succeed.
        var instructions: Int? { status == .ok ? functions.values.reduce(0, +) : nil }

        /// The share of each part of the program in the instructions; nil without any.
        var shares: [String: Double]? {
            guard let instructions, instructions > 0 else { return nil }
            return parts.mapValues { Double($0) / Double(instructions) }
        }
    }

    /// The repetitions, in their order.
    private(set) var repetitions: [Repetition] = []

    mutating func add(_ repetition: Repetition) {
        repetitions.append(repetition)
        repetitions.sort { $0.number < $1.number }
    }

    /// The repetition that did not succeed; nil if all did.
    var unsuccessful: Repetition? { repetitions.first { $0.status != .ok } }

    /// The repetition with the median, the lower one of two; nil if one did not succeed, or without any.
    var typical: Repetition? {
        guard unsuccessful == nil else { return nil }
        let sorted = repetitions.sorted { ($0.instructions ?? 0) < ($1.instructions ?? 0) }
        return sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
    }

    /// The median; nil if a repetition did not succeed.
    var median: Int? { typical?.instructions }

    /// The largest count less the smallest; 0 without any.
    var range: Int {
        let counts = repetitions.compactMap(\.instructions)
        return (counts.max() ?? 0) - (counts.min() ?? 0)
    }

    /// The range as a share of the median; nil without a median.
    var spread: Double? { median.flatMap { $0 > 0 ? Double(range) / Double($0) : nil } }
}

extension InstructionCounts {
    /// Returns the verdict on these counts: a change counts if it is larger than `threshold`, a share of the base, and
    /// larger than both ranges of the repetitions together. What the base cannot do is not judged; what only the new
    /// build cannot do any more must not pass.
    func verdict(from base: InstructionCounts, threshold: Double) -> Verdict {
        guard let before = base.median else { return .notJudged }
        guard let after = median else { return .insufficientData }
        let change = after - before
        let limit = threshold * Double(before)
        let range = Double(base.range + self.range)
        if Double(change.magnitude) > max(limit, range) { return change > 0 ? .regressed : .improved }
        return range > limit ? .inconclusive : .unchanged
    }

    /// Returns the functions that grew most, the largest growth first; none if a count is missing.
    func grownFunctions(from base: InstructionCounts) -> [FunctionGrowth] {
        guard let before = base.typical, let after = typical else { return [] }
        return FunctionGrowth.largest(from: before.ownFunctions, to: after.ownFunctions)
    }
}
