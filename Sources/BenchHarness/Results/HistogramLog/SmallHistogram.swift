/// A histogram in its compressed form, which takes about as much space as it has different values.
struct SmallHistogram: Sendable, Equatable {
    /// As a line of a log has it.
    let encoded: String
    let count: Int
    /// The exact extremes; nil without values.
    let min: Int?
    let max: Int?

    init(_ histogram: LatencyHistogram) {
        (encoded, count, min, max) = (histogram.encoded, histogram.count, histogram.min, histogram.max)
    }

    /// The histogram itself.
    var whole: LatencyHistogram {
        // It was encoded here.
        guard var whole = LatencyHistogram(encoded: encoded) else { return LatencyHistogram() }
        whole.restore(min: min, max: max)
        return whole
    }
}

extension [SmallHistogram] {
    /// The histogram of all values together.
    var sum: LatencyHistogram { reduce(into: LatencyHistogram()) { $0.merge($1.whole) } }
}
