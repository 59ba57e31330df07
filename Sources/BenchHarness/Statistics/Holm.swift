/// Several tests at once: Holm, "A Simple Sequentially Rejective Multiple Test Procedure" (Scandinavian Journal of
/// Statistics 6, 1979). It holds the chance of even one false alarm down, as Bonferroni's does, and never finds less.
enum Holm {
    /// The p that each test has when all are considered, in the order given: below `alpha` where Holm's procedure
    /// rejects at that level.
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
