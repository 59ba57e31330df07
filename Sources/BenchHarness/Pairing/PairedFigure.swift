/// A figure of turns that is judged.
struct PairedFigure: Sendable {
    /// The metric's name.
    let metric: String
    /// The share by which it may change, unless a threshold says otherwise.
    let threshold: Double
    /// What a turn has.
    let value: @Sendable (Turn) -> Double

    /// Every figure: CPU time, and the time by the clock.
    static let all = [
        PairedFigure(metric: "cpu", threshold: 0.015) { Double($0.cpu) / Double(max($0.operations, 1)) },
        PairedFigure(metric: "duration", threshold: 0.03) { Double($0.duration) / Double(max($0.operations, 1)) },
    ]

    /// The time by the clock of turns that use all cores. Cores differ in speed, and the system places threads anew in
    /// each turn, so that less than this share cannot be told.
    static let durationOnAllCores = PairedFigure(metric: "duration", threshold: 0.05) {
        Double($0.duration) / Double(max($0.operations, 1))
    }

    static let thresholds = Dictionary(uniqueKeysWithValues: all.map { ($0.metric, $0.threshold) })
}
