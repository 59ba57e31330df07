import BenchHarness

/// Says how much is counted: a line that changes on a terminal, lines one after another elsewhere.
struct InstructionProgress: Sendable {
    let console: Console
    let isQuiet: Bool

    func show(_ done: Int, of count: Int) {
        guard !isQuiet else { return }
        let text = "counted \(done) of \(count) stretches of phases"
        console.showProgress(text)
    }

    /// Takes the line away.
    func end() {
        if !isQuiet { console.clearLive() }
    }
}
