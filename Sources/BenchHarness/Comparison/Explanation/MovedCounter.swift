import Foundation

/// A counter of a phase that differs between two sides, by more than it varies on either.
///
/// Counters say what a slower phase did besides taking longer: more statements, more bytes written, more page faults.
struct MovedCounter: Sendable {
    let figure: FigureColumn
    /// The median of the side to start from.
    let base: Double
    /// The median of the side to judge.
    let new: Double

    /// New over base; nil if the base counted nothing.
    var ratio: Double? { base > 0 ? new / base : nil }

    /// The counter and its change in words.
    var text: String {
        let change = ratio.map { " (\(Figure.change($0)))" } ?? ""
        return "\(figure.label) \(values)\(change)"
    }

    private var values: String {
        let (before, after) = (figure.text(base), figure.text(new))
        if before != after { return "\(before) → \(after)" }
        // A small number of bytes disappears in megabytes.
        let unit = figure.unit == .bytes ? " bytes" : ""
        return "\(Figure.count(Int(flooring: base))) → \(Figure.count(Int(flooring: new)))\(unit)"
    }

    private var isExact: Bool { figure.kind == .exact }

    /// How large the change is, for an order.
    private var magnitude: Double { base > 0 && new > 0 ? abs(log(new / base)) : .infinity }
}

extension MovedCounter {
    /// The most counters that are named.
    private static let most = 8
    /// Fewer values of a counter that varies may lie apart by chance.
    private static let fewest = 5
    /// The smallest share by which a counter that varies must change.
    private static let smallestShare = 0.01

    /// Returns what moved from one side's repetitions to the other's: exact counters first, then the largest change.
    static func all(
        of figures: [FigureColumn] = Self.figures, from base: [ResultRow], to new: [ResultRow]
    ) -> [MovedCounter] {
        let moved = figures.compactMap { figure in
            counter(figure, SampleSummary(base.compactMap(figure.value)), SampleSummary(new.compactMap(figure.value)))
        }
        let ordered = moved.filter(\.isExact) + moved.filter { !$0.isExact }.sorted { $0.magnitude > $1.magnitude }
        return Array(ordered.prefix(most))
    }

    /// The counters of what a phase does. Instructions are apart from these, and so are times.
    static let figures = FigureColumn.all.filter { figure in
        switch figure.kind {
        case .exact, .storage: true
        case .events: figure.column != FigureColumn.instructions.column
        // Of memory, only what the phase itself is responsible for.
        case .memory: figure.comparison != nil
        case .time, .response, .machine: false
        }
    }

    private static func counter(
        _ figure: FigureColumn, _ base: SampleSummary?, _ new: SampleSummary?
    ) -> MovedCounter? {
        guard let base, let new, base.max < new.min || new.max < base.min else { return nil }
        let counter = MovedCounter(figure: figure, base: base.median, new: new.median)
        if counter.isExact { return counter }
        let isLarge = counter.magnitude > log(1 + smallestShare)
        return isLarge && min(base.count, new.count) >= fewest ? counter : nil
    }
}
