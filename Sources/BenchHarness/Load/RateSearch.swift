/// Searches for the highest rate at which a load still keeps its limits. The search doubles the rate until a limit is
/// missed, or halves it until all are kept; then it narrows the gap by the geometric mean.
///
/// A rate counts as missed after two misses: one hiccup of the machine must not end the climb.
struct RateSearch: Sendable, Equatable {
    /// The rate to try next; nil when the search is over.
    private(set) var next: Double?
    /// The highest rate that kept the limits.
    private(set) var kept: Double?
    /// The lowest rate that missed a limit.
    private(set) var missed: Double?
    private var isSecondTry = false

    /// The ratio at which the gap is close enough: trials of a single rate differ as much.
    private let precision: Double
    private let range: ClosedRange<Double>

    /// Starts at `start` operations per second.
    init(from start: Double, precision: Double = 1.1, range: ClosedRange<Double> = 0.1...10_000_000) {
        self.precision = precision
        self.range = range
        next = min(max(start, range.lowerBound), range.upperBound)
    }

    /// Notes whether the load kept its limits at the rate tried.
    mutating func record(isKept: Bool) {
        guard let rate = next else { return }
        if isKept {
            kept = rate
        } else if !isSecondTry {
            isSecondTry = true
            return
        } else {
            missed = rate
        }
        isSecondTry = false
        next = following
    }

    private var following: Double? {
        switch (kept, missed) {
        case (let kept?, let missed?):
            return missed / kept <= precision ? nil : (kept * missed).squareRoot()
        case (let kept?, nil): return kept >= range.upperBound ? nil : min(kept * 2, range.upperBound)
        case (nil, let missed?): return missed <= range.lowerBound ? nil : max(missed / 2, range.lowerBound)
        case (nil, nil): return nil
        }
    }
}
