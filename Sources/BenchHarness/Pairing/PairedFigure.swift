/// A figure of turns that is judged.
package struct PairedFigure: Sendable {
    /// The metric's name.
    package let metric: String
    /// The share by which it may change, unless a threshold says otherwise.
    let threshold: Double
    /// What a turn has, in nanoseconds; nil if it has none.
    let time: @Sendable (Turn) -> Int?
    /// Whether it is the sum of what the turn's operations took, rather than the time of one of them.
    var isOfAll = true

    /// What turns are compared by; not finite where a turn has nothing.
    func value(_ turn: Turn) -> Double {
        guard let time = time(turn) else { return .nan }
        return isOfAll ? Double(time) / Double(max(turn.operations, 1)) : Double(time)
    }

    /// Whether the clock on the wall shows it: then it says something only if nothing else ran.
    var isByClock: Bool { ![Self.cpu.metric, Self.server.metric].contains(metric) }

    static let cpu = PairedFigure(metric: "cpu", threshold: 0.015) { $0.cpu }
    /// The CPU time of a server's processes, which lie on other cores than the client.
    static let server = PairedFigure(metric: "cpu_server", threshold: 0.03) { $0.server }
    static let duration = PairedFigure(metric: "duration", threshold: 0.03) { $0.duration }

    /// Every figure of turns on one core: CPU time, and the time by the clock.
    static let all = [cpu, duration]

    /// The time by the clock of turns that use all cores. Cores differ in speed, and the system places threads anew in
    /// each turn, so that less than this share cannot be told.
    static let durationOnAllCores = PairedFigure(metric: "duration", threshold: 0.05) { $0.duration }

    /// The response times of loads. They are told on all cores alone: workers that share one wait for each other.
    static let responses = [
        PairedFigure(metric: "latency_p50", threshold: 0.1, time: { $0.responses?.p50 }, isOfAll: false),
        PairedFigure(metric: "latency_p99", threshold: 0.25, time: { $0.responses?.p99 }, isOfAll: false),
    ]

    static func isResponse(_ metric: String) -> Bool { responses.contains { $0.metric == metric } }

    package static let thresholds = Dictionary(
        uniqueKeysWithValues: (all + [server] + responses).map { ($0.metric, $0.threshold) })
}
