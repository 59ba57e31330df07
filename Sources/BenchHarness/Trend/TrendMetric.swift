import Foundation

/// A figure whose history can be shown: a column of the CSV that holds a number.
public struct TrendMetric: Sendable {
    /// What the column's figures count, as its name ends.
    enum Unit: String, Sendable, CaseIterable {
        case nanoseconds = "_ns"
        case bytes = "_bytes"
        case perSecond = "_per_s"
        case none = ""
    }

    /// The column's name without its unit.
    public let name: String
    let unit: Unit
    /// The figure of a row; nil where it is missing.
    let value: @Sendable (ResultRow) -> Double?

    private init(_ column: ResultColumn) {
        let unit = Unit.allCases.first { column.name.hasSuffix($0.rawValue) } ?? .none
        self.unit = unit
        name = String(column.name.dropLast(unit.rawValue.count))
        value = { Double(column.text($0)) }
    }

    /// All there are, in the order of the columns.
    public static let all = ResultColumn.all.filter { !notFigures.contains($0.name) }.map { TrendMetric($0) }

    /// The metric of this name, with or without its unit.
    public static func named(_ name: String) -> TrendMetric? {
        all.first { $0.name == name || $0.name + $0.unit.rawValue == name }
    }

    /// What is shown unless other metrics are asked for: noisy figures always, counters where they changed.
    static let standard = ["duration", "rss_peak", "statements", "vm_steps", "pages_written"].compactMap { named($0) }

    private static let notFigures: Set<String> = [
        "run", "scenario", "driver", "phase", "kind", "mode", "repetition", "status", "verified", "error",
        "contaminated",
    ]

    /// Whether the figure is the same every time the same is done, on every machine.
    var isCounter: Bool { ["statements", "vm_steps", "rows", "pages_written"].contains(name) }

    /// Whether more is better.
    var isMoreBetter: Bool { unit == .perSecond }

    /// The figure as people read it.
    func text(_ value: Double) -> String {
        switch unit {
        case .nanoseconds: Figure.duration(value)
        case .bytes: Figure.bytes(value)
        case .perSecond: Figure.count(Int(value.rounded())) + "/s"
        case .none: value == value.rounded() ? Figure.count(Int(value)) : String(format: "%.2f", value)
        }
    }
}
