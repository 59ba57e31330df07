/// Correction for several tests: Holm, "A Simple Sequentially Rejective Multiple Test Procedure" (Scandinavian Journal
/// of Statistics 6, 1979). It bounds the probability of any false alarm, as Bonferroni's does, and never finds less.
enum Holm {
    /// Returns the adjusted p of each test, in the order given: it is below `alpha` if Holm's procedure rejects at that
    /// level.
    static func adjusted(_ p: [Double]) -> [Double] {
        var adjusted = p
        var largest = 0.0
        for (place, index) in p.indices.sorted(by: { p[$0] < p[$1] }).enumerated() {
            largest = max(largest, min(1, p[index] * Double(p.count - place)))
            adjusted[index] = largest
        }
        return adjusted
    }
}
