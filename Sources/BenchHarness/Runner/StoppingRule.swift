/// When a run has enough repetitions, in place of a fixed number.
public struct StoppingRule: Sendable, Equatable {
    /// How far the interval of a median may reach to either side of it, such as 0.02; nil if any interval will do.
    public var precision: Double?
    /// The time for the whole run, in seconds; the last repetition begins only if there is time for one more as long.
    public var budgetSeconds: Double
    /// The fewest repetitions that have an interval.
    static let leastRepetitions = 6

    /// Creates a rule.
    public init(precision: Double? = nil, budgetSeconds: Double) {
        self.precision = precision
        self.budgetSeconds = budgetSeconds
    }
}

/// Why a run with a ``StoppingRule`` stopped, and how sure its figures are.
public struct StoppingOutcome: Sendable, Equatable, Codable {
    /// What stopped a run.
    public enum Reason: String, Sendable, Codable {
        /// The interval of every figure is narrow enough.
        case precision
        /// The time is spent.
        case budget
        /// The greatest number of repetitions is reached.
        case repetitions
    }

    /// What stopped the run.
    public var reason: Reason
    /// The number of repetitions.
    public var repetitions: Int
    /// The time of the run, in seconds.
    public var seconds: Double
    /// The figure with the widest interval, such as `cpu of managed in merge`; nil if no figure has an interval.
    public var widest: String?
    /// How far that interval reaches to either side of the median, as a share of it.
    public var width: Double?
    /// The number of figures whose interval is wider than the rule asks for, or unknown.
    public var open: Int

    /// The outcome in a sentence.
    public var text: String {
        let count = Figure.count(repetitions, "repetition")
        let interval = width.flatMap { width in widest.map { "\($0) (±\(Figure.percent(width)))" } }
        switch reason {
        case .precision: return "stopped after \(count): the widest interval is that of \(interval ?? "no figure")"
        case .budget, .repetitions:
            let why = reason == .budget ? "the time is spent" : "there may be no more"
            guard open > 0 else { return "stopped after \(count): \(why)" }
            let figures = Figure.count(open, "figure") + (open == 1 ? " is" : " are")
            return "stopped after \(count): \(why), and \(figures) wider than asked for"
                + (interval.map { ", most of all \($0)" } ?? "")
        }
    }
}

/// Decides after each repetition whether a run goes on.
struct Stopping {
    private let rule: StoppingRule
    private let clock: any NanosecondClock
    private let start: Int
    private var last: Int
    private(set) var outcome: StoppingOutcome?

    init(_ rule: StoppingRule, clock: any NanosecondClock) {
        self.rule = rule
        self.clock = clock
        start = clock.now()
        last = start
    }

    /// Notes the end of a repetition, or of a warm-up, which is number 0; `outcome` is nil as long as the run goes on.
    mutating func note(_ repetition: Int, of limit: Int, _ rows: [ResultRow]) {
        let now = clock.now()
        let (elapsed, longest) = (Double(now - start) / 1e9, Double(now - last) / 1e9)
        last = now
        guard repetition > 0 else { return }
        let widths = Self.widths(rows)
        let widest = widths.compactMap { figure in figure.width.map { (figure.name, $0) } }.max { $0.1 < $1.1 }
        let open = rule.precision.map { precision in widths.count { $0.width.map { $0 > precision } ?? true } } ?? 0
        let isPrecise = rule.precision != nil && open == 0 && repetition >= StoppingRule.leastRepetitions
        let reason: StoppingOutcome.Reason? =
            isPrecise
            ? .precision
            : elapsed + longest > rule.budgetSeconds ? .budget : repetition == limit ? .repetitions : nil
        guard let reason else { return }
        outcome = StoppingOutcome(
            reason: reason, repetitions: repetition, seconds: elapsed, widest: widest?.0, width: widest?.1, open: open)
    }

    /// Returns the interval of each figure that comparisons judge by default and that differs between repetitions.
    static func widths(_ rows: [ResultRow]) -> [(name: String, width: Double?)] {
        let groups = Dictionary(grouping: rows.filter { $0.status == .ok }) { [$0.driver, $0.phase] }
        return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap {
            key, rows -> [(name: String, width: Double?)] in
            let speed = JudgedTimes.speed(of: rows)
            return [speed, .cpu].compactMap(\.self).compactMap { metric in
                let values = rows.compactMap { metric.value($0) }
                guard !values.isEmpty, values.contains(where: { $0 > 0 }) else { return nil }
                return ("\(metric.name) of \(key[0]) in \(key[1])", MedianInterval.reach(of: values))
            }
        }
    }
}
