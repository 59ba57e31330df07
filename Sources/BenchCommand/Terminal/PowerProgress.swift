import BenchHarness
import Locking

/// Says how far a simulation is, if it takes more than a moment: a line that changes on a terminal, and a line a minute
/// elsewhere.
final class PowerProgress: Sendable {
    private let console: Console
    private let isQuiet: Bool
    private let clock = MonotonicClock()
    private let start: Int
    /// When the next line is due.
    private let due: Locked<Int>

    /// Before that time, in nanoseconds, an estimate is a guess.
    private static let silence = 2_000_000_000

    init(_ console: Console, isQuiet: Bool) {
        (self.console, self.isQuiet) = (console, isQuiet)
        start = clock.now()
        due = Locked(start + Self.silence)
    }

    @Sendable func show(_ done: Int, of all: Int) {
        guard !isQuiet else { return }
        let now = clock.now()
        let interval = console.isErrorTerminal ? 1_000_000_000 : 60_000_000_000
        let isDue = due.withLock { due in
            guard now >= due else { return false }
            due = now + interval
            return true
        }
        guard isDue, done < all else { return }
        let left = Int(Double(now - start) / Double(done) * Double(all - done))
        let text =
            "\(Figure.count(done)) of \(Figure.count(all)) simulated, roughly \(Figure.clock(left)) left; "
            + "--comparisons or --repetitions makes it fewer"
        console.showProgress(text)
    }

    /// Takes the line away.
    func end() {
        if !isQuiet { console.clearLive() }
    }
}
