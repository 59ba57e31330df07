import BenchHarness
import BenchReport
import Foundation

/// `bench report`: writes results as a page.
struct ReportCommand: Subcommand {
    static let spec = CommandSpec(
        name: "report", summary: "Write results as one HTML page; with several, compare the first with the rest.",
        operand: "RESULT.csv...", operandCount: 1...100,
        options: [
            OptionSpec(
                name: "--output", alias: "-o", value: "PATH", completion: .file,
                help: "The page to write; default: report.html, or none with --pictures."),
            OptionSpec(
                name: "--pictures", value: "DIR", completion: .file,
                help:
                    "Write the charts as SVG files into this folder: of one result RESULT-duration.svg, RESULT-memory.svg and others, of several LAST-comparison.svg."
            ),
            OptionSpec(
                name: "--driver", value: "D", isRepeatable: true, completion: .driver,
                help: "Show this driver only; repeatable."),
            OptionSpec(name: "--force", help: "Replace an existing page and pictures."),
        ] + comparing + [CommandSpec.help],
        examples: [
            "bench report Results/million/million.csv", "bench report base.csv new.csv -o comparison.html --force",
            "bench report base.csv new.csv --accept \"fetch-sync 5% because every row is checked\"",
            "bench report Results/million/million.csv --pictures pictures --driver managed --driver sqlite",
        ])

    /// The options of a comparison.
    private static let comparing =
        [JudgingOptions.thresholdSpec, CompareCommand.relativeToSpec] + AcceptOptions.specs

    private let console: Console
    private let runs: [RecordedRun]
    /// The page to write; nil for pictures alone.
    private let page: URL?
    /// The folder of the pictures; nil for a page alone.
    private let pictures: URL?
    private let replaces: Bool
    private let options: ComparisonOptions

    init(_ invocation: Invocation) throws {
        console = invocation.console
        let parsed = invocation.parsed
        let files = parsed.operands.map { URL(fileURLWithPath: $0) }
        pictures = parsed.value("--pictures").map { URL(fileURLWithPath: $0, isDirectory: true) }
        replaces = parsed.has("--force")
        page = (parsed.value("--output") ?? (pictures == nil ? "report.html" : nil)).map { URL(fileURLWithPath: $0) }
        if let page {
            for file in files where file.resolvingSymlinksInPath() == page.resolvingSymlinksInPath() {
                throw UsageError("\(page.relativePath) is one of the results; choose another --output")
            }
            try OutputFile.check(page, replaces: replaces)
        }
        // A pattern such as results/*.csv names the turns of bench ab too, which base.csv and new.csv sum up.
        let results = files.count > 1 ? files.filter { !RecordedRun.isOfTurns($0) } : files
        let drivers = parsed.all("--driver")
        runs = try results.map { file in
            let run = try RecordedRun(contentsOf: file)
            return drivers.isEmpty ? run : try run.keeping(drivers: drivers)
        }
        options = try Self.options(parsed, isOfOneRun: runs.count < 2)
    }

    private static func options(_ parsed: ParsedArguments, isOfOneRun: Bool) throws -> ComparisonOptions {
        for option in comparing where isOfOneRun && parsed.has(option.name) {
            throw UsageError("\(option.name) needs a comparison; give the base and the new results, or leave it out")
        }
        var options = ComparisonOptions()
        options.thresholds = try JudgingOptions.thresholds(parsed.all("--threshold"))
        options.relation = try CompareCommand.relation(parsed)
        options.accepted = try AcceptOptions.read(parsed)
        return options
    }

    /// Writes the page and the pictures, and prints their paths.
    func run() throws -> ExitCode {
        let comparison = comparison
        let report = Report(runs: runs, comparison: comparison)
        if let page {
            try report.write(to: page)
            console.text("Report: \(page.relativePath)\n")
        }
        if let pictures {
            // A page says why results are not comparable; without one, nothing would.
            if page == nil, case .failure(let error)? = comparison { throw error }
            try write(report.pictures, to: pictures)
        }
        return .success
    }

    private func write(_ files: [(name: String, svg: String)], to folder: URL) throws {
        guard !files.isEmpty else {
            let names = runs.map(\.name).joined(separator: ", ")
            throw UsageError("\(names): no verified row has a figure to draw")
        }
        let places = files.map { (file: folder.appendingPathComponent($0.name), svg: $0.svg) }
        if OutputFile.isFolder(folder) { for place in places { try OutputFile.check(place.file, replaces: replaces) } }
        for place in places {
            try OutputFile.write(place.svg, to: place.file, createsFolder: true)
            console.text("Picture: \(place.file.relativePath)\n")
        }
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
