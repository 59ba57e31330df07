import BenchHarness
import Foundation

/// Shows the progress of torture: a live line on a terminal, a line at intervals otherwise.
final class TortureReporter {
    private let request: TortureRequest
    private let console: Console
    private let isQuiet: Bool
    private let clock = MonotonicClock()
    private var last: (driver: String, time: Int)?

    /// The interval between lines without a terminal, in seconds.
    private static let pause = 15

    init(_ request: TortureRequest, _ console: Console, isQuiet: Bool) {
        self.request = request
        self.console = console
        self.isQuiet = isQuiet
    }

    /// Shows the seed first, so that even a killed program has shown it.
    func begin() {
        guard !isQuiet else { return }
        let work = request.task.summary(of: request.scenario)
        let isOwn = request.isSeedGiven || (request.sharing?.shard.index ?? 0) == 0
        let seed = isOwn ? "the seed is \(request.seed)" : "the seed is that of shard 0"
        console.note("bench: torturing \(request.processes) processes at once with \(work); \(seed)\n")
    }

    /// Shows the history of a store so far.
    func show(_ report: TortureReport) {
        guard !isQuiet else { return }
        let text = """
            \(report.driver)  round \(report.rounds)\(ofAll)  \(Figure.count(report.kills)) kills, \
            \(Figure.count(report.stops)) stops, \(Figure.count(report.acknowledged)) writes acknowledged, \
            \(report.lost) lost  \(Figure.clock(report.nanoseconds)) elapsed
            """
        if console.isErrorTerminal {
            console.showLive(text)
        } else if isTime(report.driver) {
            console.note("\(text)\n")
        }
    }

    /// Clears the live line.
    func end() {
        if !isQuiet { console.clearLive() }
    }

    private var ofAll: String {
        if case .rounds(let count) = request.limit { "/\(count)" } else { "" }
    }

    private func isTime(_ driver: String) -> Bool {
        let now = clock.now()
        if let last, last.driver == driver, now - last.time < Self.pause * 1_000_000_000 { return false }
        last = (driver, now)
        return true
    }
}
