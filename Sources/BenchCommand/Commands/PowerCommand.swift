import BenchHarness
import BenchPower
import Foundation

/// `bench power`.
struct PowerCommand: Subcommand {
    static let spec = CommandSpec(
        name: "power",
        summary: "Simulate how often a slowdown is found in recorded noise, by the number of repetitions, or of "
            + "launches of bench ab.",
        operand: "RESULT.csv...", operandCount: 1...100,
        options: [
            OptionSpec(
                name: "--repetitions", value: "N", isRepeatable: true,
                help: "The number of repetitions of each side; repeatable; default: 5, 7, 10 and 15."),
            OptionSpec(
                name: "--launches", value: "N", isRepeatable: true,
                help: "For turns.csv of bench ab: the limit of launches to simulate; repeatable; default: 24, and "
                    + "that of the recorded run."),
            OptionSpec(
                name: "--relative-to", value: "D", completion: .driver,
                help: "Simulate ratios to this driver in the same run and repetition, as CI compares them."),
            OptionSpec(
                name: "--slowdown", value: "PERCENT", isRepeatable: true,
                help: "A slowdown to simulate, such as 6%; repeatable."),
            JudgingOptions.thresholdSpec, JudgingOptions.alphaSpec, JudgingOptions.driverSpec, JudgingOptions.phaseSpec,
            OptionSpec(
                name: "--noise-percent", value: "PERCENT",
                help: "Simulate noise of this size instead of the recorded noise."),
            OptionSpec(
                name: "--comparisons", value: "N",
                help: "How many comparisons without a change to simulate, and a quarter as many with each slowdown; "
                    + "default: 2000."),
            OptionSpec(
                name: "--format", value: "F", completion: .words(of: Format.self), help: "text or json; default: text."),
            RunInputs.quietSpec, CommandSpec.help,
        ],
        examples: [
            "bench power Results/million/million.csv --comparisons 200",
            "bench power base.csv --noise-percent 1% --repetitions 10 --slowdown 6%",
            "bench power base.csv --relative-to sqlite --threshold duration=25% --repetitions 8 --slowdown 50%",
            "bench power monday/turns.csv tuesday/turns.csv",
        ])

    private enum Format: String, CaseIterable {
        case text
        case json
    }

    private let console: Console
    private let files: [URL]
    private let options: ComparisonOptions
    private let settings: PowerSettings
    private let format: Format
    private let isQuiet: Bool

    init(_ invocation: Invocation) throws {
        console = invocation.console
        let parsed = invocation.parsed
        var options = ComparisonOptions()
        options.thresholds = try JudgingOptions.thresholds(parsed.all("--threshold"))
        options.alpha = try JudgingOptions.alpha(parsed)
        options.drivers = Set(parsed.all("--driver"))
        options.phases = Set(parsed.all("--phase"))
        if let driver = parsed.value("--relative-to") { options.relation = .relative(to: driver) }
        self.options = options
        settings = try Self.settings(parsed)
        format = try parsed.choice("--format") ?? .text
        isQuiet = parsed.has("--quiet")
        files = parsed.operands.map { URL(fileURLWithPath: $0) }
    }

    func run() throws -> ExitCode {
        let progress = PowerProgress(console, isQuiet: isQuiet)
        let turns = files.filter(RecordedRun.isOfTurns)
        guard !turns.isEmpty else {
            let runs = try files.map { try RecordedRun(contentsOf: $0) }
            let analysis = try PowerAnalysis(
                runs, options: options, settings: settings, onProgress: progress.show)
            progress.end()
            return try show(analysis.text(isColoured:width:), analysis.json)
        }
        guard turns.count == files.count, options.relation == .automatic else {
            throw UsageError(
                turns.count == files.count
                    ? "--relative-to does not fit \(turns[0].relativePath), whose sides shared a core; leave it out"
                    : "\(turns[0].relativePath) holds turns, and others do not; give only one kind")
        }
        let analysis = try PairedPower(
            turns: turns, options: options, settings: settings, onProgress: progress.show)
        progress.end()
        return try show(analysis.text(isColoured:width:), analysis.json)
    }

    private func show(
        _ text: (_ isColoured: Bool, _ width: Int?) -> String, _ json: () throws -> String
    ) throws -> ExitCode {
        switch format {
        case .text: console.text(text)
        case .json: console.out(try json())
        }
        return .success
    }

    private static func settings(_ parsed: ParsedArguments) throws(UsageError) -> PowerSettings {
        var settings = PowerSettings()
        if let counts = try counts(parsed, "--repetitions", in: 2...50) { settings.repetitions = counts }
        if let counts = try counts(parsed, "--launches", in: 5...PairedRequest.mostLaunches) {
            settings.launches = counts
        }
        var slowdowns: [Double] = []
        for text in parsed.all("--slowdown") { slowdowns.append(try JudgingOptions.percent(text, of: "--slowdown")) }
        if !slowdowns.isEmpty { settings.slowdownsPercent = slowdowns }
        if let text = parsed.value("--noise-percent") {
            settings.noisePercent = try JudgingOptions.percent(text, of: "--noise-percent")
        }
        if let count = try parsed.count("--comparisons", in: 1...1_000_000) {
            settings.comparisons = count
            settings.comparisonsPerSlowdown = max(count / 4, 1)
        }
        return settings
    }
    /// Returns the values of an option that may be given several times; nil if it was not.
    private static func counts(
        _ parsed: ParsedArguments, _ option: String, in range: ClosedRange<Int>
    ) throws(UsageError) -> [Int]? {
        var counts: [Int] = []
        for text in parsed.all(option) {
            guard let count = Int(text), range.contains(count) else {
                throw UsageError(
                    "\(option) \(text): expected a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            counts.append(count)
        }
        return counts.isEmpty ? nil : counts
    }
}
