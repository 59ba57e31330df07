import BenchHarness
import Foundation

/// Tells a person how a run gets on: a live line on a terminal, a line per phase otherwise.
final class ProgressReporter: @unchecked Sendable {
    private let scenario: Scenario
    private let console: Console
    private let isQuiet: Bool
    /// Whether a rate is searched for, in as many trials as it takes.
    private let isSearch: Bool
    private let clock: any NanosecondClock
    private let lock = NSLock()
    // Guarded by `lock`, which is why this class may be shared.
    private var forecast: RunForecast
    private var position = ""

    init(
        scenario: Scenario, console: Console, isQuiet: Bool, isSearch: Bool = false,
        clock: any NanosecondClock = MonotonicClock()
    ) {
        self.scenario = scenario
        self.console = console
        self.isQuiet = isQuiet
        self.isSearch = isSearch
        self.clock = clock
        forecast = RunForecast(start: clock.now())
    }

    func receive(_ event: RunEvent) {
        guard !isQuiet else { return }
        lock.withLock {
            switch event {
            case .phaseStarted(let done, let driver, let repetition, let phase):
                if !isSearch { forecast.advance(to: done) }
                let round =
                    isSearch
                    ? "trial \(repetition)"
                    : repetition == 0 ? "warm-up" : "repetition \(repetition)/\(scenario.repetitions)"
                position = "\(round)  \(driver)  \(phase)"
                draw("")
            case .progress(let found): draw("Fetched \(Figure.count(found)) records")
            case .sample(let sample): draw(Self.text(sample))
            case .phaseFinished(let row): finish(row)
            }
        }
    }

    /// Leaves the terminal as it was.
    func end() {
        if console.isErrorTerminal, !isQuiet { console.note("\r\u{1B}[K") }
    }

    private static func text(_ sample: LoadSample) -> String {
        let p99 = sample.latencyP99.map { ", p99 " + Figure.duration(Double($0)) } ?? ""
        let errors = sample.errors > 0 ? ", \(sample.errors) errors" : ""
        return "\(Figure.count(Int(sample.throughput)))/s\(p99)\(errors)"
    }

    private func draw(_ detail: String) {
        guard console.isErrorTerminal else { return }
        let text = detail.isEmpty ? position : "\(position)  \(detail)"
        // A line that wraps could not be drawn over.
        let line = "\(text)  \(forecast.text(at: clock.now()))".prefix(console.errorWidth - 1)
        console.note("\r\u{1B}[K\(line)")
    }

    private func finish(_ row: ResultRow) {
        guard !console.isErrorTerminal else { return }
        let duration = row.durationNanoseconds.map { Figure.duration(Double($0)) } ?? "-"
        let error = row.error.isEmpty ? "" : "  \(row.error)"
        if isSearch { return console.note("\(position)  \(row.rateText)  \(row.limits)\(error)\n") }
        console.note("\(position)  \(duration)  \(row.status.rawValue)\(error)\n")
    }
}

/// How long a run will go on, supposing that what is left takes as long as what is done.
struct RunForecast {
    private let start: Int
    private var done = 0.0

    init(start: Int) {
        self.start = start
    }

    /// So much is done now, from 0 to 1.
    mutating func advance(to done: Double) {
        self.done = done
    }

    /// What has passed, and what is left once there is something to judge by.
    func text(at now: Int) -> String {
        let passed = now - start
        let elapsed = "\(Figure.clock(passed)) elapsed"
        guard done > 0, done < 1 else { return elapsed }
        return "\(elapsed), about \(Figure.clock(Int((Double(passed) / done * (1 - done)).rounded()))) left"
    }
}
