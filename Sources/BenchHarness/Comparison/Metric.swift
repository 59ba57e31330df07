/// A figure of a result that two runs can be compared by.
public struct Metric: Sendable {
    /// What is compared.
    public let figure: FigureColumn
    /// Its place in ``all``.
    let index: Int
    private let comparison: FigureColumn.Comparison

    /// Every metric, those judged by default first.
    public static let all: [Metric] = {
        let compared = FigureColumn.all.compactMap { figure in figure.comparison.map { (figure, $0) } }
        let judged = compared.filter(\.1.isJudgedByDefault) + compared.filter { !$0.1.isJudgedByDefault }
        return judged.enumerated().map { Metric(figure: $1.0, index: $0, comparison: $1.1) }
    }()

    /// The metric of that name, with or without its unit.
    public static func named(_ name: String) -> Metric? { all.first { $0.name == name || $0.column == name } }

    /// The column's name without its unit, such as `rss_peak`.
    public var name: String { figure.name }
    /// The column that it stands in.
    var column: String { figure.column }
    var unit: FigureColumn.Unit { figure.unit }
    /// Whether it is the same whenever the same work is done, so that one repetition is enough. Others take a
    /// statistical test.
    var isExact: Bool { figure.kind == .exact }
    /// Whether more of it is better.
    var isHigherBetter: Bool { figure.isHigherBetter }
    /// Whether it is judged without being asked for.
    var isJudgedByDefault: Bool { comparison.isJudgedByDefault }
    /// The share by which it may get worse before that counts.
    var threshold: Double { comparison.threshold }
    /// Whether it is the store library's doing, so that another version of the library counts differently.
    var isLibrarys: Bool { comparison.isLibrarys }

    /// What a row has; nil when it is missing.
    func value(_ row: ResultRow) -> Double? { figure.value(row) }
    /// The figure as people read it.
    func text(_ value: Double) -> String { figure.text(value) }
}
