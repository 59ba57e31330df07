import BenchHarness
import Foundation

/// `bench report`: writes results as a page.
struct ReportCommand: Subcommand {
    static let spec = CommandSpec(
        name: "report", summary: "Write results as one HTML page; of several, compare the first with the others.",
        operand: "RESULT.csv...", operandCount: 1...100,
        options: [
            OptionSpec(
                name: "--output", alias: "-o", value: "PATH", completion: .file,
                help: "The page to write; default: report.html."),
            OptionSpec(name: "--force", help: "Replace an existing page."),
        ] + AcceptOptions.specs + [CommandSpec.help],
        examples: [
            "bench report Results/million/million.csv", "bench report base.csv new.csv -o comparison.html --force",
            "bench report base.csv new.csv --accept \"fetch-sync 5% because every row is checked\"",
        ])

    private let console: Console
    private let runs: [RecordedRun]
    private let output: URL
    private let options: ComparisonOptions

    init(_ invocation: Invocation) throws {
        console = invocation.console
        let files = invocation.parsed.operands.map { URL(fileURLWithPath: $0) }
        output = URL(fileURLWithPath: invocation.parsed.value("--output") ?? "report.html")
        for file in files where file.resolvingSymlinksInPath() == output.resolvingSymlinksInPath() {
            throw UsageError("\(output.relativePath) is one of the results; choose another --output")
        }
        try OutputFile.check(output, replaces: invocation.parsed.has("--force"))
        // A pattern such as results/*.csv names the turns of bench ab too, which base.csv and new.csv sum up.
        let results = files.count > 1 ? files.filter { !RecordedRun.isOfTurns($0) } : files
        runs = try results.map { try RecordedRun(contentsOf: $0) }
        options = try Self.options(invocation.parsed, isOfOneRun: runs.count < 2)
    }

    private static func options(_ parsed: ParsedArguments, isOfOneRun: Bool) throws -> ComparisonOptions {
        for option in AcceptOptions.specs where isOfOneRun && parsed.has(option.name) {
            throw UsageError("\(option.name) is of a comparison; give the base and the new results, or leave it out")
        }
        var options = ComparisonOptions()
        options.accepted = try AcceptOptions.read(parsed)
        return options
    }

    /// Writes the page and prints its path.
    func run() throws -> ExitCode {
        try Report(runs: runs, comparison: comparison).write(to: output)
        console.text("Report: \(output.relativePath)\n")
        return .success
    }

    /// Returns the comparison of the first result with all others; nil for a single one.
    private var comparison: Result<Comparison, RunError>? {
        guard runs.count > 1 else { return nil }
        return Result { () throws(RunError) in
            try Comparison(
                base: [runs[0]], new: Array(runs.dropFirst()), options: options, noise: .find(for: runs))
        }
    }
}
