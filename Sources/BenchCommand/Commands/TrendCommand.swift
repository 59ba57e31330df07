import BenchHarness
import Foundation

/// `bench trend`: shows the history of figures over several results, and their change points.
struct TrendCommand: Subcommand {
    static let spec = CommandSpec(
        name: "trend", summary: "Show the history of figures over several results, and their change points.",
        operand: "FILE.csv...", operandCount: 1...10_000,
        options: [
            OptionSpec(
                name: "--metric", value: "NAME", isRepeatable: true, completion: .words(Metric.all.map(\.name)),
                help: "A metric to show, such as duration: the name of a column without its unit; repeatable."),
            OptionSpec(
                name: "--relative-to", value: "DRIVER", completion: .driver,
                help: "Show ratios to this driver; default: absolute figures, but ratios to sqlite (or postgres) if "
                    + "the results are from different machines."),
            OptionSpec(
                name: "--format", value: "F", completion: .words(of: Format.self),
                help: "text, markdown or json; default: text."),
            CommandSpec.allColumns, CommandSpec.help,
        ],
        examples: [
            "bench trend Results/*.csv", "bench trend --metric throughput --relative-to sqlite Results/*.csv",
            "bench trend --format json Results/*.csv > trend.json",
        ])

    private enum Format: String, CaseIterable {
        case text
        case markdown
        case json
    }

    private let console: Console
    private let format: Format
    private let trend: Trend
    private let showsAll: Bool

    init(_ invocation: Invocation) throws {
        let parsed = invocation.parsed
        console = invocation.console
        format = try parsed.choice("--format") ?? .text
        showsAll = parsed.has("--all")
        let metrics = try parsed.all("--metric").map { try Self.metric($0) }
        let runs = try parsed.operands.map { try RecordedRun(contentsOf: URL(fileURLWithPath: $0)) }
        let baseline = parsed.value("--relative-to")
        if let baseline { try Self.check(baseline, isIn: runs) }
        trend = try Trend(runs, metrics: metrics, relativeTo: baseline)
    }

    func run() throws -> ExitCode {
        switch format {
        case .text: console.text(showsAll: showsAll, trend.text(isColoured:width:))
        case .markdown: console.out(trend.markdown)
        case .json: console.out(try trend.json())
        }
        return .success
    }

    private static func metric(_ name: String) throws(UsageError) -> Metric {
        guard let metric = Metric.named(name) else {
            throw UsageError(ParsedArguments.unknown("metric", name, among: Metric.all.map(\.name)))
        }
        return metric
    }

    private static func check(_ driver: String, isIn runs: [RecordedRun]) throws(UsageError) {
        let drivers = Set(runs.flatMap { $0.rows.map(\.driver) }).sorted()
        guard drivers.contains(driver) else {
            throw UsageError(ParsedArguments.unknown("driver", driver, among: drivers))
        }
    }
}
