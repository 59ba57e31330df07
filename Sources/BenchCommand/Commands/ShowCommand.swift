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
            CommandSpec.help,
        ],
        examples: [
            "bench show Results/million/million.csv", "bench show new.csv --format markdown >> pull-request.md",
            "bench show new.csv --format json",
        ])

    private enum Format: String, CaseIterable {
        case text
        case markdown
        case json
    }

    private let console: Console
    private let format: Format
    private let summary: ResultSummary

    init(_ invocation: Invocation) throws {
        console = invocation.console
        format = try invocation.parsed.choice("--format") ?? .text
        let run = try RecordedRun(contentsOf: URL(fileURLWithPath: invocation.parsed.operands[0]))
        summary = ResultSummary(run, drivers: invocation.drivers.map(\.name))
    }

    func run() throws -> ExitCode {
        switch format {
        case .text: console.out(SummaryTable(summary).text(isColoured: console.isColoured))
        case .markdown: console.out(SummaryTable(summary).markdown)
        case .json: try console.result(summary.json())
        }
        return .success
    }
}
