/// A figure of a result that a comparison of two runs can use.
public struct Metric: Sendable {
    /// The figure.
    public let figure: FigureColumn
    /// The metric's position in ``all``.
    let index: Int
    private let comparison: FigureColumn.Comparison

    /// Every metric: those judged by default first, and of these the times first.
    public static let all: [Metric] = {
        let compared = FigureColumn.all.compactMap { figure in figure.comparison.map { (figure, $0) } }
        let judged = compared.filter(\.1.isJudgedByDefault)
        let ordered =
            judged.filter { $0.0.kind == .time } + judged.filter { $0.0.kind != .time }
            + compared.filter { !$0.1.isJudgedByDefault }
        return ordered.enumerated().map { Metric(figure: $1.0, index: $0, comparison: $1.1) }
    }()

    /// The time by the clock.
    package static let duration = all.first { $0.figure.column == FigureColumn.duration.column }!
    /// The CPU time.
    static let cpu = all.first { $0.figure.column == FigureColumn.cpu.column }!
    /// What a second does.
    static let throughput = all.first { $0.figure.column == FigureColumn.throughput.column }!
    /// The time within which half of the operations have their answer.
    static let latencyP50 = all.first { $0.figure.column == FigureColumn.latencyP50.column }!

    /// Returns the metric with a name, with or without its unit; nil if there is none.
    public static func named(_ name: String) -> Metric? { all.first { $0.name == name || $0.column == name } }

    /// The column's name without its unit, such as `rss_peak`.
    public var name: String { figure.name }
    /// The label in headings.
    package var label: String { figure.label }
    /// The name of the metric's column.
    package var column: String { figure.column }
    var unit: FigureColumn.Unit { figure.unit }
    /// Whether equal work gives equal values, so that one repetition is enough. Other metrics need a statistical test.
    package var isExact: Bool { figure.kind == .exact }
    /// Whether the speed of the machine determines the value.
    package var isOfSpeed: Bool { [.time, .response].contains(figure.kind) }
    /// Whether a clock shows the value.
    var isTime: Bool { figure.kind == .time && unit == .nanoseconds }
    /// Whether a higher value is better.
    package var isHigherBetter: Bool { figure.isHigherBetter }
    /// Whether comparisons judge the metric by default.
    var isJudgedByDefault: Bool { comparison.isJudgedByDefault }
    /// The share by which the metric may get worse before the change counts.
    package var threshold: Double { comparison.threshold }
    /// Whether the store library determines the value, so that another version of the library gives another value.
    var isLibrarys: Bool { comparison.isLibrarys }

    /// Returns the value in a row; nil if it is missing.
    func value(_ row: ResultRow) -> Double? { figure.value(row) }
    /// Returns a value formatted for people.
    func text(_ value: Double) -> String { figure.text(value) }
}
