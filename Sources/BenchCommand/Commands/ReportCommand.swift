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
            OptionSpec(name: "--force", help: "Replace an existing page."), CommandSpec.help,
        ],
        examples: [
            "bench report Results/million/million.csv", "bench report base.csv new.csv -o comparison.html --force",
        ])

    private let console: Console
    private let runs: [RecordedRun]
    private let output: URL

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
    }

    /// Writes the page and prints its path.
    func run() throws -> ExitCode {
        try Report(runs: runs, comparison: comparison).write(to: output)
        console.out("Report: \(output.relativePath)\n")
        return .success
    }

    /// Returns the comparison of the first result with all others; nil for a single one.
    private var comparison: Result<Comparison, RunError>? {
        guard runs.count > 1 else { return nil }
        return Result { () throws(RunError) in
            try Comparison(base: [runs[0]], new: Array(runs.dropFirst()), noise: .find(for: runs))
        }
    }
}
