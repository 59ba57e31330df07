/// Searches for the highest rate at which a load still keeps its limits. The search doubles the rate until a limit is
/// missed, or halves it until all are kept; then it narrows the gap by the geometric mean.
///
/// A rate counts as kept, or as missed, if most of three trials say so: two that agree decide. One hiccup of the
/// machine must not end the climb, and one lucky trial must not raise the result. At the end the highest kept rate has
/// one more trial. If this one misses a limit, the rate counts as missed, and the search goes on below it.
struct RateSearch: Sendable {
    /// The rate to try next; nil when the search is over.
    private(set) var next: Double?
    /// The lowest rate that missed a limit.
    private(set) var missed: Double?
    /// Whether the highest kept rate also kept the limits in the trial at the end.
    private(set) var isConfirmed = false

    /// The highest rate that kept the limits.
    var kept: Double? { keptRates.last }

    /// The rates that kept the limits, the lowest first.
    private var keptRates: [Double] = []
    private var votes = (kept: 0, missed: 0)
    private var isConfirming = false

    /// The number of trials of a rate that decide if they agree: most of three.
    private static let majority = 2

    /// The ratio at which the gap is close enough: trials of a single rate differ as much.
    private let precision: Double
    private let range: ClosedRange<Double>

    /// Starts at `start` operations per second.
    init(from start: Double, precision: Double = 1.1, range: ClosedRange<Double> = 0.1...10_000_000) {
        self.precision = precision
        self.range = range
        next = min(max(start, range.lowerBound), range.upperBound)
    }

    /// Notes whether the load kept its limits in a trial of ``next``.
    mutating func record(isKept: Bool) {
        guard let rate = next else { return }
        if isConfirming { return confirm(rate, isKept) }
        if isKept { votes.kept += 1 } else { votes.missed += 1 }
        if votes.kept == Self.majority {
            keptRates.append(rate)
        } else if votes.missed == Self.majority {
            missed = rate
        } else {
            return
        }
        advance()
    }

    private mutating func confirm(_ rate: Double, _ isKept: Bool) {
        isConfirming = false
        if isKept {
            (next, isConfirmed) = (nil, true)
        } else {
            missed = rate
            keptRates.removeLast()
            advance()
        }
    }

    private mutating func advance() {
        votes = (0, 0)
        next = following
        if next == nil, let kept { (next, isConfirming) = (kept, true) }
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
