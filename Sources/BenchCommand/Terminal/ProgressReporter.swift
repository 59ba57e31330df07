import BenchHarness
import Foundation
import Locking

/// Shows the progress of a run: a live line on a terminal, a line per phase otherwise.
final class ProgressReporter: Sendable {
    private struct State {
        var forecast: RunForecast
        var position = ""
    }

    private let scenario: Scenario
    private let console: Console
    private let isQuiet: Bool
    /// Whether the run searches for a rate, with an unknown number of trials.
    private let isSearch: Bool
    /// Whether the number of repetitions is open.
    private let isOpen: Bool
    private let clock: any NanosecondClock
    /// The state; the lock is held while a line is drawn.
    private let state: Locked<State>

    init(
        scenario: Scenario, console: Console, isQuiet: Bool, isSearch: Bool = false, isOpen: Bool = false,
        clock: any NanosecondClock = MonotonicClock()
    ) {
        self.scenario = scenario
        self.console = console
        self.isQuiet = isQuiet
        self.isSearch = isSearch
        self.isOpen = isOpen
        self.clock = clock
        state = Locked(State(forecast: RunForecast(start: clock.now())))
    }

    func receive(_ event: RunEvent) {
        guard !isQuiet else { return }
        state.withLock { state in
            switch event {
            case .phaseStarted(let done, let driver, let repetition, let phase):
                if !isSearch { state.forecast.advance(to: done) }
                state.position = "\(round(repetition))  \(driver)  \(phase)"
                draw("", state)
            case .progress(let found): draw("Fetched \(Figure.count(found)) records", state)
            case .sample(let sample): draw(Self.text(sample), state)
            case .phaseFinished(let row): finish(row, state)
            }
        }
    }

    private func round(_ repetition: Int) -> String {
        if isSearch { return "trial \(repetition)" }
        if repetition == 0 { return "warm-up" }
        return isOpen ? "repetition \(repetition)" : "repetition \(repetition)/\(scenario.repetitions)"
    }

    /// Clears the live line.
    func end() {
        if !isQuiet { console.clearLive() }
    }

    private static func text(_ sample: LoadSample) -> String {
        let p99 = sample.latencyP99.map { ", p99 " + Figure.duration(Double($0)) } ?? ""
        let errors = sample.errors > 0 ? ", \(sample.errors) errors" : ""
        return "\(Figure.count(Int(sample.throughput)))/s\(p99)\(errors)"
    }

    private func draw(_ detail: String, _ state: State) {
        guard console.isErrorTerminal else { return }
        let text = detail.isEmpty ? state.position : "\(state.position)  \(detail)"
        console.showLive("\(text)  \(state.forecast.text(at: clock.now()))")
    }

    private func finish(_ row: ResultRow, _ state: State) {
        guard !console.isErrorTerminal else { return }
        let duration = row.durationNanoseconds.map { Figure.duration(Double($0)) } ?? "-"
        let error = row.error.isEmpty ? "" : "  \(row.error)"
        if isSearch { return console.note("\(state.position)  \(row.rateText)  \(row.limits)\(error)\n") }
        console.note("\(state.position)  \(duration)  \(row.status.rawValue)\(error)\n")
    }
}

/// The remaining time of a run, on the assumption that the rest proceeds as fast as the completed part.
struct RunForecast {
    private let start: Int
    private var done = 0.0

    init(start: Int) {
        self.start = start
    }

    /// Sets the completed share, from 0 to 1.
    mutating func advance(to done: Double) {
        self.done = done
    }

    /// Returns the elapsed time, and the remaining time once there is a basis for it.
    func text(at now: Int) -> String {
        let passed = now - start
        let elapsed = "\(Figure.clock(passed)) elapsed"
        guard done > 0, done < 1 else { return elapsed }
        return "\(elapsed), about \(Figure.clock(Int((Double(passed) / done * (1 - done)).rounded()))) left"
    }
}
