import BenchHarness

/// The command that would decide what a run of `bench ab` left open: the one that was given, with a larger budget.
struct DecidingCommand {
    private let words: [String]

    /// Nil if nothing is open, or if a day would not decide it.
    init?(_ commandLine: [String], _ remainder: PairedOutcome.Remainder?) {
        guard let remainder else { return nil }
        // Launches scatter anew, so the estimate has room.
        let minutes = (remainder.seconds * 1.3 / 60).rounded(.up)
        guard minutes <= 24 * 60 else { return nil }
        var words = Self.without(["--budget", "--launches"], commandLine)
        words += ["--budget", "\(Int(max(minutes, 1)))m"]
        let most = remainder.launches + remainder.launches / 4
        if most > PairedRequest.defaultLaunches { words += ["--launches", "\(min(most, PairedRequest.mostLaunches))"] }
        if !remainder.areAll, !Self.has("--phase", words) { words += remainder.phases.flatMap { ["--phase", $0] } }
        // The files of the run that left it open are there.
        if Self.has("--output", words), !words.contains("--force") { words.append("--force") }
        self.words = words
    }

    private static func has(_ option: String, _ words: [String]) -> Bool {
        words.contains { $0 == option || $0.hasPrefix(option + "=") }
    }

    /// The command as a shell reads it.
    var text: String { words.map(ShellText.word).joined(separator: " ") }

    /// Returns a command line without options and their values.
    private static func without(_ options: [String], _ words: [String]) -> [String] {
        var kept: [String] = []
        var isValue = false
        for word in words {
            if isValue {
                isValue = false
            } else if options.contains(word) {
                isValue = true
            } else if !options.contains(where: { word.hasPrefix($0 + "=") }) {
                kept.append(word)
            }
        }
        return kept
    }
}
