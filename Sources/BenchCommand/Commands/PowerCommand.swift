import BenchHarness
import Foundation

/// `bench power`.
struct PowerCommand: Subcommand {
    static let spec = CommandSpec(
        name: "power", summary: "Show how many repetitions catch a slowdown in the noise of recorded runs.",
        operand: "RESULT.csv...", operandCount: 1...100,
        options: [
            OptionSpec(
                name: "--repetitions", value: "N", isRepeatable: true,
                help: "Repetitions of each side; may be given several times; default: 5, 7, 10 and 15."),
            OptionSpec(
                name: "--slowdown", value: "PERCENT", isRepeatable: true,
                help: "A slowdown to simulate, such as 6%; may be given several times."),
            OptionSpec(
                name: "--threshold", value: "METRIC=PERCENT", isRepeatable: true,
                help: "How much a metric may get worse, such as duration=5%; may be given several times."),
            JudgingOptions.alphaSpec, JudgingOptions.driverSpec, JudgingOptions.phaseSpec,
            OptionSpec(
                name: "--noise-percent", value: "PERCENT",
                help: "Simulate noise of this size instead of the recorded noise."),
            OptionSpec(name: "--comparisons", value: "N", help: "Comparisons without a change; default: 2000."),
            OptionSpec(
                name: "--format", value: "F", completion: .words(of: Format.self), help: "text or json; default: text."),
            CommandSpec.help,
        ],
        examples: [
            "bench power Results/million/million.csv",
            "bench power base.csv --noise-percent 1% --repetitions 10 --slowdown 6%",
        ])

    private enum Format: String, CaseIterable {
        case text
        case json
    }

    private let console: Console
    private let runs: [RecordedRun]
    private let options: ComparisonOptions
    private let settings: PowerAnalysis.Settings
    private let format: Format

    init(_ invocation: Invocation) throws {
        console = invocation.console
        let parsed = invocation.parsed
        var options = ComparisonOptions()
        options.thresholds = try JudgingOptions.thresholds(parsed.all("--threshold"))
        options.alpha = try JudgingOptions.alpha(parsed) ?? options.alpha
        options.drivers = Set(parsed.all("--driver"))
        options.phases = Set(parsed.all("--phase"))
        self.options = options
        settings = try Self.settings(parsed)
        format = try parsed.choice("--format") ?? .text
        runs = try parsed.operands.map { try RecordedRun(contentsOf: URL(fileURLWithPath: $0)) }
    }

    func run() throws -> ExitCode {
        let analysis = try PowerAnalysis(runs, options: options, settings: settings)
        switch format {
        case .text: console.out(analysis.text(isColoured: console.isColoured))
        case .json: console.out(try analysis.json())
        }
        return .success
    }

    private static func settings(_ parsed: ParsedArguments) throws(UsageError) -> PowerAnalysis.Settings {
        var settings = PowerAnalysis.Settings()
        var repetitions: [Int] = []
        for text in parsed.all("--repetitions") {
            guard let count = Int(text), (2...50).contains(count) else {
                throw UsageError("--repetitions \(text): expected a whole number from 2 to 50")
            }
            repetitions.append(count)
        }
        if !repetitions.isEmpty { settings.repetitions = repetitions }
        var slowdowns: [Double] = []
        for text in parsed.all("--slowdown") { slowdowns.append(try JudgingOptions.percent(text, of: "--slowdown")) }
        if !slowdowns.isEmpty { settings.slowdownsPercent = slowdowns }
        if let text = parsed.value("--noise-percent") {
            settings.noisePercent = try JudgingOptions.percent(text, of: "--noise-percent")
        }
        if let count = try parsed.count("--comparisons", in: 1...1_000_000) { settings.comparisons = count }
        return settings
    }
}
