extension Int {
    /// The largest integer that is not above a number, or the nearest one that there is: files may hold numbers that no
    /// measurement makes.
    package init(flooring number: Double) {
        self = Int(exactly: number.rounded(.down)) ?? (number < 0 ? .min : .max)
    }
}

extension Sequence<Int> {
    /// The sum of counts, or the largest integer if that is smaller.
    var clampedSum: Int {
        reduce(0) { total, next in
            let (sum, overflows) = total.addingReportingOverflow(next)
            return overflows ? .max : sum
        }
    }
}
