import BenchHarness

/// Says how far two sides are that take turns: a line that changes on a terminal, lines one after another elsewhere.
struct ABProgress {
    let console: Console
    let isQuiet: Bool

    func show(_ progress: PairedRun.Progress) {
        guard !isQuiet else { return }
        let text =
            "launch \(progress.launches)  \(progress.title)  \(progress.decided)/\(progress.phases) phases decided  "
            + "\(Figure.clock(Int(progress.secondsLeft * 1e9))) left at most"
        console.showProgress(text)
    }

    /// Takes the line away.
    func end() {
        if !isQuiet { console.clearLive() }
    }
}
