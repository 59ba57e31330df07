/// Shows the number of records fetched so far: on a terminal in one line that is overwritten, otherwise in occasional
/// lines.
struct FetchProgress {
    private(set) var count = 0
    private var shown: Int?

    private static let interval = 100_000

    mutating func show(_ count: Int) {
        self.count = count
        let isDue = Terminal.isLive ? count != shown : shown.map { count >= $0 + Self.interval } ?? true
        if isDue { write() }
    }

    /// Ends the line, so that the last count remains visible.
    mutating func end() {
        if shown != count { write() }
        if Terminal.isLive { Terminal.note("\n") }
    }

    private mutating func write() {
        let text = "Fetched \(count) Records"
        Terminal.note(Terminal.isLive ? "\r\u{1B}[K\(text)" : "\(text)\n")
        shown = count
    }
}
