/// Draws operations in the proportions of a ``MixSpec``.
struct OperationMix: Sendable {
    private let thresholds: [(kind: OperationKind, upTo: Double)]

    /// - Precondition: At least one weight is above 0, which the scenario reader checks.
    init(_ weights: [OperationKind: Double]) {
        let kinds = OperationKind.allCases.filter { weights[$0, default: 0] > 0 }
        precondition(!kinds.isEmpty, "a mix of operations without any")
        let total = kinds.reduce(0) { $0 + weights[$1, default: 0] }
        var sum = 0.0
        thresholds = kinds.map { kind in
            sum += weights[kind, default: 0] / total
            return (kind, sum)
        }
    }

    func next(using random: inout SplitMix64) -> OperationKind {
        let point = random.unit()
        // Rounding can leave the last threshold just below 1.
        return thresholds.first { point < $0.upTo }?.kind ?? thresholds[thresholds.count - 1].kind
    }
}
