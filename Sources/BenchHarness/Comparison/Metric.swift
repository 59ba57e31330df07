import Foundation

/// A figure of a result that two runs can be compared by.
public struct Metric: Sendable {
    /// What its numbers count.
    public enum Unit: String, Sendable, Codable {
        case nanoseconds = "ns"
        case bytes
        case perSecond = "per_s"
        case count
    }

    /// How it is compared.
    enum Kind: Sendable {
        /// It varies from repetition to repetition, so it takes a statistical test.
        case measured
        /// It is the same whenever the same work is done: one repetition is enough.
        case exact
    }

    /// The column's name without its unit, such as `rss_peak`.
    public let name: String
    /// Its place in ``all``.
    let index: Int
    let unit: Unit
    let kind: Kind
    /// Whether it is judged without being asked for.
    let isJudgedByDefault: Bool
    /// The share by which it may get worse before that counts.
    let threshold: Double
    /// Whether more of it is better.
    let isHigherBetter: Bool
    /// Whether it is the store library's doing, so that another version of the library counts differently.
    let isLibrarys: Bool
    let value: @Sendable (ResultRow) -> Double?

    /// The column that it stands in.
    var column: String { unit == .count ? name : "\(name)_\(unit.rawValue)" }

}

extension Metric {
    /// What a metric is before it has its place.
    private struct Draft {
        var name: String
        var unit: Unit
        var kind = Kind.measured
        var isJudged = false
        var threshold = 0.10
        var isHigherBetter = false
        var isLibrarys = false
        var value: @Sendable (ResultRow) -> Double?
    }

    private init(_ draft: Draft, index: Int) {
        name = draft.name
        self.index = index
        unit = draft.unit
        kind = draft.kind
        isJudgedByDefault = draft.isJudged
        threshold = draft.threshold
        isHigherBetter = draft.isHigherBetter
        isLibrarys = draft.isLibrarys
        value = draft.value
    }

    private static func measured(
        _ name: String, _ unit: Unit, _ path: KeyPath<ResultRow, Int?> & Sendable, judged: Bool = false,
        threshold: Double = 0.10
    ) -> Draft {
        Draft(name: name, unit: unit, isJudged: judged, threshold: threshold) { $0[keyPath: path].map(Double.init) }
    }

    private static func exact(
        _ name: String, _ path: KeyPath<ResultRow, Int?> & Sendable, isLibrarys: Bool = false
    ) -> Draft {
        Draft(name: name, unit: .count, kind: .exact, isJudged: true, threshold: 0, isLibrarys: isLibrarys) {
            $0[keyPath: path].map(Double.init)
        }
    }
}

extension Metric {
    /// Every metric, those judged by default first.
    public static let all: [Metric] = drafts.enumerated().map { Metric($1, index: $0) }

    private static let drafts: [Draft] = [
        measured("duration", .nanoseconds, \.durationNanoseconds, judged: true, threshold: 0.03),
        measured("rss_peak", .bytes, \.residentPeakBytes, judged: true, threshold: 0.05),
        exact("statements", \.counters.statements), exact("vm_steps", \.counters.vmSteps, isLibrarys: true),
        exact("rows", \.counters.rows), exact("pages_written", \.counters.pagesWritten, isLibrarys: true),
        exact("conflicts", \.counters.conflicts),
        Draft(name: "throughput", unit: .perSecond, threshold: 0.03, isHigherBetter: true) { $0.throughput },
        measured("latency_p50", .nanoseconds, \.latencyP50), measured("latency_p90", .nanoseconds, \.latencyP90),
        measured("latency_p99", .nanoseconds, \.latencyP99), measured("latency_p999", .nanoseconds, \.latencyP999),
        measured("latency_max", .nanoseconds, \.latencyMax), measured("queue_stall", .nanoseconds, \.queueStall),
        measured("cancel", .nanoseconds, \.cancel), measured("first_progress", .nanoseconds, \.firstProgress),
        measured("service_p50", .nanoseconds, \.serviceP50), measured("service_p99", .nanoseconds, \.serviceP99),
        measured("merge_p50", .nanoseconds, \.mergeP50), measured("merge_p99", .nanoseconds, \.mergeP99),
        measured("delegate_p50", .nanoseconds, \.delegateP50), measured("delegate_p99", .nanoseconds, \.delegateP99),
        measured("cpu_user", .nanoseconds, \.cpuUser), measured("cpu_system", .nanoseconds, \.cpuSystem),
        measured("rss_peak_delta", .bytes, \.residentPeakDelta), measured("heap", .bytes, \.heap),
        measured("read", .bytes, \.readBytes), measured("write", .bytes, \.writeBytes),
        measured("store_memory_peak", .bytes, \.counters.storeMemoryPeakBytes),
        measured("database", .bytes, \.databaseBytes), measured("wal", .bytes, \.logBytes),
    ]

    /// The metric of that name, with or without its unit.
    public static func named(_ name: String) -> Metric? { all.first { $0.name == name || $0.column == name } }

    /// The figure as people read it.
    func text(_ value: Double) -> String {
        switch unit {
        case .nanoseconds: Figure.duration(value)
        case .bytes: Figure.bytes(value)
        case .perSecond: Figure.count(Int(value.rounded())) + "/s"
        case .count: value == value.rounded() ? Figure.count(Int(value)) : String(format: "%.2f", value)
        }
    }
}
