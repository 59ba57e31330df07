import BenchHarness
import Foundation

/// `bench show`: prints the table of a result again.
struct ShowCommand: Subcommand {
    static let spec = CommandSpec(
        name: "show", summary: "Print the table of a result again.", operand: "RESULT.csv", operandCount: 1...1,
        options: [
            OptionSpec(
                name: "--format", value: "F", completion: .words(of: Format.self),
                help: "text, markdown or json; default: text."),
            OptionSpec(
                name: "--ratios", help: "Show ratios of wall and CPU time to those of sqlite, with their intervals."),
            OptionSpec(
                name: "--relative-to", value: "D", completion: .driver,
                help: "Show ratios to this driver instead of sqlite."),
            CommandSpec.allColumns, CommandSpec.help,
        ],
        examples: [
            "bench show Results/million/million.csv", "bench show new.csv --format markdown >> pull-request.md",
            "bench show new.csv --format json", "bench show Results/million/million.csv --ratios",
            "bench show Results/costs/wide.csv --relative-to sqlite-tuned",
        ])

    private enum Format: String, CaseIterable {
        case text
        case markdown
        case json
    }

    private let console: Console
    private let format: Format
    private let summary: ResultSummary
    private let ratios: RatioTable?
    private let showsAll: Bool

    init(_ invocation: Invocation) throws {
        console = invocation.console
        format = try invocation.parsed.choice("--format") ?? .text
        showsAll = invocation.parsed.has("--all")
        let run = try RecordedRun(contentsOf: URL(fileURLWithPath: invocation.parsed.operands[0]))
        try run.checkHasRows()
        let drivers = invocation.drivers.map(\.name)
        summary = ResultSummary(run, drivers: drivers)
        ratios = try Self.ratios(run, drivers, invocation.parsed)
        if ratios != nil, format == .json {
            throw UsageError("ratios are text or markdown; the JSON has the times of every repetition")
        }
    }

    private static func ratios(
        _ run: RecordedRun, _ drivers: [String], _ parsed: ParsedArguments
    ) throws -> RatioTable? {
        let baseline = parsed.value("--relative-to")
        guard baseline != nil || parsed.has("--ratios") else { return nil }
        let present = Set(run.rows.map(\.driver))
        if let baseline, !present.contains(baseline) {
            throw UsageError(
                "--relative-to \(baseline): the result has no such driver; it has \(present.sorted().joined(separator: ", "))"
            )
        }
        return RatioTable(run.rows, drivers: drivers, relativeTo: baseline)
    }

    func run() throws -> ExitCode {
        switch format {
        case .text:
            console.text(
                showsAll: showsAll, ratios?.text(isColoured:width:) ?? SummaryTable(summary).text(isColoured:width:))
        case .markdown: console.out(ratios?.markdown ?? SummaryTable(summary).markdown)
        case .json: try console.result(summary.json())
        }
        return .success
    }
}
