/// Searches for the highest rate at which a load still keeps its limits: doubles until it does not, or halves until it
/// does, then narrows the gap down by its geometric middle.
///
/// A rate is missed when it was missed twice: one hiccup of the machine must not end the climb.
struct RateSearch: Sendable, Equatable {
    /// The rate to try next; nil when the search is over.
    private(set) var next: Double?
    /// The highest rate that was kept.
    private(set) var kept: Double?
    /// The lowest rate that was missed.
    private(set) var missed: Double?
    private var isSecondTry = false

    /// A gap of this ratio is close enough: neighbouring trials of one rate differ as much.
    private let precision: Double
    private let range: ClosedRange<Double>

    /// Starts at `start` operations per second.
    init(from start: Double, precision: Double = 1.1, range: ClosedRange<Double> = 0.1...10_000_000) {
        self.precision = precision
        self.range = range
        next = min(max(start, range.lowerBound), range.upperBound)
    }

    /// Takes in whether the limits were kept at the rate that was tried.
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
