import Foundation

/// All that is known of a figure of the CSV: what it is called, what it counts and means, how it is shown, and how it
/// is compared.
///
/// Tables, pages, pictures, exports and comparisons take it from here.
public struct FigureColumn: Sendable {
    /// What its numbers count.
    public enum Unit: String, Sendable, Codable {
        /// Time; the CSV has nanoseconds.
        case nanoseconds = "ns"
        /// Memory and storage.
        case bytes
        /// A rate.
        case perSecond = "per_s"
        /// How many there were; the column's name has no unit.
        case count
    }

    /// What it tells of, which decides how much it varies when nothing has changed.
    public enum Kind: String, Sendable, Codable {
        /// The same whenever the same work is done: one repetition is enough.
        case exact
        /// How long work took, or how much was done in that time.
        case time
        /// Memory in use.
        case memory
        /// The time from asking to the answer.
        case response
        /// What files hold, and what went to storage or came from it.
        case storage
        /// How often something happened.
        case events
        /// What the rest of the machine did.
        case machine
    }

    /// How two runs are compared by it.
    struct Comparison: Sendable {
        /// Whether it is judged without being asked for.
        var isJudgedByDefault = false
        /// The share by which it may get worse before that counts.
        var threshold = 0.10
        /// Whether it is the store library's doing, so that another version of the library counts differently.
        var isLibrarys = false
    }

    /// The column's name without its unit, such as `rss_peak`.
    public let name: String
    /// What its numbers count.
    public let unit: Unit
    /// What it tells of.
    public let kind: Kind
    /// What headings call it.
    public let label: String
    /// What it is, in a sentence.
    public let help: String
    /// Whether more of it is better.
    public let isHigherBetter: Bool
    /// Nil where nothing is compared by it.
    let comparison: Comparison?
    /// Where a row has it.
    private let path: AnyKeyPath & Sendable
    /// What a row has; nil when it is missing.
    let value: @Sendable (ResultRow) -> Double?

    /// The column's name, with the unit last, such as `rss_peak_bytes`.
    public var column: String { unit == .count ? name : "\(name)_\(unit.rawValue)" }

    /// The figure for a person, with its unit.
    func text(_ value: Double) -> String {
        switch unit {
        case .nanoseconds: Figure.duration(value)
        case .bytes: Figure.bytes(value)
        case .perSecond: Figure.rate(value)
        // The largest Int is none any more once it has been a Double.
        case .count where value == value.rounded(): Figure.count(Int(exactly: value) ?? .max)
        case .count: String(format: "%.2f", value)
        }
    }
}

extension FigureColumn {
    /// What is said of a figure beside its column and its meaning.
    struct Traits {
        var kind: Kind
        /// The name, with spaces, unless given.
        var label: String?
        var isHigherBetter = false
        var comparison: Comparison?

        /// Not compared.
        static func plain(_ kind: Kind, label: String? = nil) -> Traits { Traits(kind: kind, label: label) }

        /// Compared when it is asked for.
        static func compared(_ kind: Kind, label: String? = nil) -> Traits {
            Traits(kind: kind, label: label, comparison: Comparison())
        }

        /// Compared always.
        static func judged(_ kind: Kind, label: String? = nil, threshold: Double) -> Traits {
            Traits(
                kind: kind, label: label, comparison: Comparison(isJudgedByDefault: true, threshold: threshold))
        }

        /// Compared always, and to the last one.
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
        (kind, isHigherBetter, comparison) = (traits.kind, traits.isHigherBetter, traits.comparison)
        label = traits.label ?? name.replacing("_", with: " ")
        self.path = path
        value = { $0[keyPath: path]?.figure }
    }
}

/// What a figure's column holds.
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
    /// All of them, in the order of the file.
    public static let all: [FigureColumn] = ResultColumn.figures.map(\.figure)

    /// What tables, pages and programs are told of every phase beside its duration.
    static let ofPhases: [FigureColumn] = [.peakMemory, .stall, .cancel]
    /// What they are told of loads.
    static let ofLoads: [FigureColumn] = [.throughput, .latencyP50, .latencyP99, .latencyMax, .mergeP99, .delegateP99]

    /// The figure that a row has at `path`, which must be one's.
    private static func at(_ path: AnyKeyPath) -> FigureColumn {
        guard let figure = all.first(where: { $0.path == path }) else { fatalError("\(path) is no figure of a row") }
        return figure
    }

    static let duration = at(\ResultRow.durationNanoseconds)
    static let peakMemory = at(\ResultRow.residentPeakBytes)
    static let peakGrowth = at(\ResultRow.residentPeakDelta)
    static let stall = at(\ResultRow.queueStall)
    static let idleStall = at(\ResultRow.queueStallControl)
    static let firstProgress = at(\ResultRow.firstProgress)
    static let cancel = at(\ResultRow.cancel)
    static let operations = at(\ResultRow.operations)
    static let records = at(\ResultRow.records)
    static let latencyMin = at(\ResultRow.latencyMin)
    static let latencyP50 = at(\ResultRow.latencyP50)
    static let latencyP90 = at(\ResultRow.latencyP90)
    static let latencyP99 = at(\ResultRow.latencyP99)
    static let latencyP999 = at(\ResultRow.latencyP999)
    static let latencyMax = at(\ResultRow.latencyMax)
    static let throughput = at(\ResultRow.throughput)
    static let serviceP99 = at(\ResultRow.serviceP99)
    static let mergeP99 = at(\ResultRow.mergeP99)
    static let delegateP99 = at(\ResultRow.delegateP99)
    static let heap = at(\ResultRow.heap)
    static let log = at(\ResultRow.logBytes)
    static let retries = at(\ResultRow.retries)
    static let errors = at(\ResultRow.errors)
}
