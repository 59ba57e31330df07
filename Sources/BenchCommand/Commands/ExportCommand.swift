import BenchHarness
import BenchReport
import Foundation

/// `bench export`: writes results in the format of another tool.
struct ExportCommand: Subcommand {
    static let spec = CommandSpec(
        name: "export", summary: "Write results in the format of another tool.", operand: "RESULT.csv",
        operandCount: 1...1,
        options: [
            OptionSpec(
                name: "--format", value: "FORMAT", completion: .words(of: ExportFormat.self),
                help: "One of \(ExportFormat.allCases.map(\.rawValue).joined(separator: ", "))."),
            OptionSpec(
                name: "--output", value: "PATH", completion: .file,
                help: "The file to write; default: standard output."),
            OptionSpec(name: "--force", help: "Replace an existing file."),
            CommandSpec.help,
        ],
        examples: [
            "bench export --format google-benchmark Results/million/million.csv --output million.json",
            "bench export --format openmetrics Results/million/million.csv",
        ])

    private let console: Console
    private let input: URL
    private let format: ExportFormat
    /// Nil for standard output.
    private let output: URL?

    init(_ invocation: Invocation) throws {
        let parsed = invocation.parsed
        console = invocation.console
        input = URL(fileURLWithPath: parsed.operands[0])
        format = try Self.format(parsed)
        output = parsed.value("--output").map { URL(fileURLWithPath: $0) }
        guard let output else { return }
        guard output.resolvingSymlinksInPath() != input.resolvingSymlinksInPath() else {
            throw UsageError("--output \(output.relativePath) is the file to export; expected another one")
        }
        try OutputFile.check(output, replaces: parsed.has("--force"))
    }

    func run() throws -> ExitCode {
        let run = try RecordedRun(contentsOf: input)
        if let output {
            let file = try AtomicFile(path: output.resolvingSymlinksInPath().path)
            try format.write(run) { try file.append(Data($0.utf8)) }
            try file.commit()
        } else {
            try format.write(run, to: console.result)
        }
        return .success
    }

    private static func format(_ parsed: ParsedArguments) throws(UsageError) -> ExportFormat {
        if let format: ExportFormat = try parsed.choice("--format") { return format }
        let names = ExportFormat.allCases.map(\.rawValue)
        throw UsageError("bench export needs --format \(names.joined(separator: "|"))")
    }
}
