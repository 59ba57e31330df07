import Foundation

/// The description of a figure of the CSV: its name, unit and meaning, its format, and its role in comparisons.
///
/// Tables, pages, pictures, exports and comparisons all use this description.
public struct FigureColumn: Sendable {
    /// The unit of a figure.
    public enum Unit: String, Sendable, Codable {
        /// A duration; the CSV has nanoseconds.
        case nanoseconds = "ns"
        /// An amount of memory or storage.
        case bytes
        /// A rate.
        case perSecond = "per_s"
        /// A count; the column's name has no unit.
        case count
    }

    /// The kind of a figure, which determines how much it varies when nothing has changed.
    public enum Kind: String, Sendable, Codable {
        /// A counter that is equal for equal work: one repetition is enough.
        case exact
        /// The duration of work, or the amount of work in that time.
        case time
        /// Memory in use.
        case memory
        /// The time from a request to its answer.
        case response
        /// The content of files, and traffic to and from storage.
        case storage
        /// The number of events.
        case events
        /// The activity of the rest of the machine.
        case machine
    }

    /// The role of a figure in comparisons of two runs.
    struct Comparison: Sendable {
        /// Whether comparisons judge it by default.
        var isJudgedByDefault = false
        /// The share by which it may get worse before the change counts.
        var threshold = 0.10
        /// Whether the store library determines the value, so that another version of the library gives another value.
        var isLibrarys = false
    }

    /// The column's name without its unit, such as `rss_peak`.
    public let name: String
    /// The unit.
    public let unit: Unit
    /// The kind.
    public let kind: Kind
    /// The label in headings.
    public let label: String
    /// The meaning in a sentence.
    public let help: String
    /// Whether a higher value is better.
    public let isHigherBetter: Bool
    /// Whether the values of repetitions add up: a median would hide what went wrong in one of them.
    public let isSummed: Bool
    /// The role in comparisons; nil if they leave the figure out.
    let comparison: Comparison?
    /// The path to the value in a row.
    private let path: AnyKeyPath & Sendable
    /// Returns the value in a row; nil if it is missing.
    package let value: @Sendable (ResultRow) -> Double?

    /// The column's name, including the unit, such as `rss_peak_bytes`.
    public var column: String { unit == .count ? name : "\(name)_\(unit.rawValue)" }

    /// Returns a figure with its unit, formatted for people; one that is infinite has no bound.
    package func text(_ value: Double) -> String {
        switch unit {
        case _ where value.isInfinite: "no bound"
        case .nanoseconds: Figure.duration(value)
        case .bytes: Figure.bytes(value)
        case .perSecond: Figure.rate(value)
        // A Double rounds the largest Int up, beyond what an Int can hold.
        case .count where value == value.rounded(): Figure.count(Int(flooring: value))
        case .count: String(format: "%.2f", value)
        }
    }
}

extension FigureColumn {
    /// The traits of a figure besides its column and its meaning.
    struct Traits {
        var kind: Kind
        /// The label; nil takes the name, with spaces.
        var label: String?
        var isHigherBetter = false
        var isSummed = false
        var comparison: Comparison?
        /// Returns the figure of a row that lacks it, such as one of an earlier version; nil if nothing replaces it.
        var instead: (@Sendable (ResultRow) -> Double?)?

        /// Returns the traits of a figure that comparisons leave out.
        static func plain(_ kind: Kind, label: String? = nil) -> Traits { Traits(kind: kind, label: label) }

        /// The traits of a number of operations that went wrong.
        static let wrong = Traits(kind: .events, isSummed: true)

        /// Returns the traits of a figure that comparisons judge on request.
        static func compared(_ kind: Kind, label: String? = nil) -> Traits {
            Traits(kind: kind, label: label, comparison: Comparison())
        }

        /// Returns the traits of a figure that comparisons judge by default.
        static func judged(
            _ kind: Kind, label: String? = nil, threshold: Double,
            instead: (@Sendable (ResultRow) -> Double?)? = nil
        ) -> Traits {
            Traits(
                kind: kind, label: label, comparison: Comparison(isJudgedByDefault: true, threshold: threshold),
                instead: instead)
        }

        /// Returns the traits of a counter that comparisons judge by default, with any increase.
        static func exact(isLibrarys: Bool = false) -> Traits {
            Traits(
                kind: .exact,
                comparison: Comparison(isJudgedByDefault: true, threshold: 0, isLibrarys: isLibrarys))
        }
    }

    init<Number: FigureNumber>(
        _ name: String, _ unit: Unit, _ path: KeyPath<ResultRow, Number?> & Sendable, _ traits: Traits, _ help: String
    ) {
        (self.name, self.unit, self.help) = (name, unit, help)
        (kind, isHigherBetter, isSummed) = (traits.kind, traits.isHigherBetter, traits.isSummed)
        comparison = traits.comparison
        label = traits.label ?? name.replacing("_", with: " ")
        self.path = path
        let instead = traits.instead
        value = { $0[keyPath: path]?.figure ?? instead?($0) }
    }
}

/// The type of a figure's column.
protocol FigureNumber: CSVValue {
    var figure: Double { get }
}

extension Int: FigureNumber {
    var figure: Double { Double(self) }
}

extension Double: FigureNumber {
    var figure: Double { self }
}

extension FigureColumn {
    /// All figures, in the order of the file.
    public static let all: [FigureColumn] = ResultColumn.figures.map(\.figure)

    /// The figures that tables, pages and programs show of every phase, besides the duration.
    static let ofPhases: [FigureColumn] = [.peakMemory, .stall, .cancel]
    /// The figures that they show of loads.
    package static let ofLoads: [FigureColumn] = [
        .throughput, .latencyP50, .latencyP99, .latencyMax, .mergeP99, .delegateP99,
    ]
    /// What went wrong in loads.
    package static let wrongInLoads: [FigureColumn] = [.retries, .errors, .dropped]
    /// The percentiles of all operations of a load, those without an answer included.
    static let responsePercentiles: [FigureColumn] = [
        .latencyP50, .latencyP90, .latencyP99, .latencyP999, .latencyMax,
    ]

    /// Returns the figure at `path` of a row; the path must be a figure's.
    private static func at(_ path: AnyKeyPath) -> FigureColumn {
        guard let figure = all.first(where: { $0.path == path }) else { fatalError("\(path) is not a figure of a row") }
        return figure
    }

    package static let duration = at(\ResultRow.work.durationNanoseconds)
    package static let cpu = at(\ResultRow.usage.cpu)
    package static let peakMemory = at(\ResultRow.usage.residentPeakBytes)
    static let peakGrowth = at(\ResultRow.usage.residentPeakDelta)
    package static let stall = at(\ResultRow.asynchrony.queueStall)
    package static let idleStall = at(\ResultRow.asynchrony.queueStallControl)
    package static let opening = at(\ResultRow.outsideClock.opening)
    package static let release = at(\ResultRow.outsideClock.release)
    package static let firstProgress = at(\ResultRow.asynchrony.firstProgress)
    package static let cancel = at(\ResultRow.asynchrony.cancel)
    package static let operations = at(\ResultRow.work.operations)
    package static let records = at(\ResultRow.work.records)
    package static let latencyMin = at(\ResultRow.work.latencyMin)
    package static let latencyP50 = at(\ResultRow.work.latencyP50)
    package static let latencyP90 = at(\ResultRow.work.latencyP90)
    package static let latencyP99 = at(\ResultRow.work.latencyP99)
    package static let latencyP999 = at(\ResultRow.work.latencyP999)
    package static let latencyMax = at(\ResultRow.work.latencyMax)
    package static let throughput = at(\ResultRow.work.throughput)
    package static let serviceP99 = at(\ResultRow.load.serviceP99)
    static let mergeP99 = at(\ResultRow.load.mergeP99)
    static let delegateP99 = at(\ResultRow.load.delegateP99)
    static let heap = at(\ResultRow.usage.heap)
    static let log = at(\ResultRow.usage.logBytes)
    static let retries = at(\ResultRow.load.retries)
    static let errors = at(\ResultRow.load.errors)
    static let dropped = at(\ResultRow.load.dropped)
    static let instructions = at(\ResultRow.usage.instructions)
}
