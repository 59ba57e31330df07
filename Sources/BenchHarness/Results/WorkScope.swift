/// How many records the repetitions of a phase were about, and in how many operations, in words.
package struct WorkScope: Sendable {
    private let rows: [ResultRow]

    package init(_ rows: [ResultRow]) {
        self.rows = rows.filter(\.isEvidence)
    }

    /// The parts of the description; none if nothing is known.
    package var parts: [String] {
        // A phase of one operation is what every phase is.
        [
            Self.text(rows.compactMap(\.records), "record"),
            Self.text(rows.compactMap(\.operations), "operation", from: 2),
        ]
        .compactMap(\.self)
    }

    /// Returns a count, or the range of counts that differ; nil without one, or if none is at least `least`.
    private static func text(_ counts: [Int], _ noun: String, from least: Int = 0) -> String? {
        guard let low = counts.min(), let high = counts.max(), high >= least else { return nil }
        return low == high ? Figure.count(high, noun) : "\(Figure.count(low)) to \(Figure.count(high, noun))"
    }
}
