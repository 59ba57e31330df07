import BenchHarness
import Foundation

/// `bench merge`: adds the results of the shards of a load up, or logs of histograms.
struct MergeCommand: Subcommand {
    static let spec = CommandSpec(
        name: "merge", summary: "Merge the results of the shards of a load, or logs of histograms (.hlog).",
        operand: "FILE...", operandCount: 1...10_000,
        options: [
            OptionSpec(
                name: "--output", value: "PATH", completion: .file,
                help: "The file to write (required): a CSV, with manifest and log beside it, or an .hlog to merge "
                    + "logs."),
            OptionSpec(name: "--force", help: "Replace an existing file."),
            CommandSpec.help,
        ],
        examples: [
            "bench merge shard-*.csv --output load.csv", "bench merge monday.hlog tuesday.hlog --output week.hlog",
        ],
        exits: [
            .success: "The parts are merged.",
            .regression: "The whole load missed a limit.",
            .failure: "A part failed, or the output could not be written.",
            .insufficientData: "A part was stopped before its end.",
        ])

    private let console: Console
    private let files: [URL]
    private let output: URL
    private let areLogs: Bool

    init(_ invocation: Invocation) throws {
        let parsed = invocation.parsed
        console = invocation.console
        files = parsed.operands.map { URL(fileURLWithPath: $0) }
        guard let path = parsed.value("--output") else { throw UsageError("bench merge needs --output PATH") }
        output = URL(fileURLWithPath: path)
        let logs = (files + [output]).filter { $0.pathExtension == Self.logExtension }
        guard logs.isEmpty || logs.count == files.count + 1 else {
            throw UsageError(
                "\(logs[0].relativePath) is a log of histograms, but not all files are; give only CSVs or only logs, "
                    + "--output included")
        }
        areLogs = !logs.isEmpty
        // What lies beside the files has the same name but for the ending.
        let name = { (file: URL) in file.resolvingSymlinksInPath().deletingPathExtension() }
        if let own = files.first(where: { name($0) == name(output) }) {
            throw UsageError(
                "--output \(output.relativePath) would replace \(own.relativePath) or a file beside it; choose another")
        }
        for file in areLogs ? [output] : ShardMerge.files(output) {
            try OutputFile.check(file, replaces: parsed.has("--force"))
        }
    }

    private static let logExtension = "hlog"

    func run() throws -> ExitCode {
        if areLogs {
            try HistogramLog.merged(contentsOf: files).write(to: output)
            console.text("Histograms: \(output.relativePath)\n")
            return .success
        }
        let merge = try ShardMerge(contentsOf: files)
        let rows = try merge.write(to: output)
        console.text { "\n" + SummaryTable(ResultSummary(rows: rows)).text(isColoured: $0, width: $1) + "\n" }
        console.driftWarnings(rows)
        console.errors(rows.filter { $0.status == .failed })
        console.text("Results: \(output.relativePath)\n")
        if rows.contains(where: { $0.status == .failed }) { return .failure }
        if merge.isStopped {
            console.warning("a shard was stopped before its end, so the load is incomplete")
            return .insufficientData
        }
        return rows.contains { $0.missedLimits != nil } ? .regression : .success
    }
}
