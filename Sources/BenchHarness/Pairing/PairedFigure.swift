/// A figure of turns that is judged.
package struct PairedFigure: Sendable {
    /// The metric's name.
    package let metric: String
    /// The share by which it may change, unless a threshold says otherwise.
    let threshold: Double
    /// What a turn has.
    let value: @Sendable (Turn) -> Double

    var isDuration: Bool { metric == Self.duration.metric }

    static let cpu = PairedFigure(metric: "cpu", threshold: 0.015) { $0.perOperation($0.cpu) }
    static let duration = PairedFigure(metric: "duration", threshold: 0.03) { $0.perOperation($0.duration) }

    /// Every figure: CPU time, and the time by the clock.
    static let all = [cpu, duration]

    /// The time by the clock of turns that use all cores. Cores differ in speed, and the system places threads anew in
    /// each turn, so that less than this share cannot be told.
    static let durationOnAllCores = PairedFigure(metric: "duration", threshold: 0.05) {
        $0.perOperation($0.duration)
    }

    package static let thresholds = Dictionary(uniqueKeysWithValues: all.map { ($0.metric, $0.threshold) })
}

extension Turn {
    fileprivate func perOperation(_ time: Int) -> Double { Double(time) / Double(max(operations, 1)) }
}
