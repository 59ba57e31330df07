import BenchHarness
import Foundation

/// `bench report`: shows results as a page.
struct ReportCommand: Subcommand {
    static let spec = CommandSpec(
        name: "report", summary: "Show results as one HTML page.", operand: "RESULT.csv...", operandCount: 1...100,
        options: [
            OptionSpec(
                name: "--output", alias: "-o", value: "PATH", completion: .file,
                help: "The page to write; report.html otherwise."),
            OptionSpec(name: "--force", help: "Replace an existing page."), CommandSpec.help,
        ],
        examples: [
            "bench report Results/million/million.csv", "bench report base.csv new.csv -o comparison.html --force",
        ])

    private let console: Console
    private let files: [URL]
    private let output: URL

    init(_ invocation: Invocation) throws {
        console = invocation.console
        files = try invocation.parsed.operands.map(Self.file)
        output = URL(fileURLWithPath: invocation.parsed.value("--output") ?? "report.html")
        for file in files where file.resolvingSymlinksInPath() == output.resolvingSymlinksInPath() {
            throw UsageError("\(output.relativePath) is one of the results; the page must go elsewhere")
        }
        try OutputFile.check(output, replaces: invocation.parsed.has("--force"))
    }

    /// Writes the page and says where it is.
    func run() throws -> ExitCode {
        let runs = try files.map { try RecordedRun(contentsOf: $0) }
        try Report(runs: runs).write(to: output)
        console.out("Report: \(output.relativePath)\n")
        return .success
    }

    private static func file(_ path: String) throws(UsageError) -> URL {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw UsageError("there is no file \(path)")
        }
        guard !isFolder.boolValue else {
            throw UsageError("\(path) is a directory; expected a file that bench run wrote")
        }
        guard FileManager.default.isReadableFile(atPath: path) else { throw UsageError("\(path) is not readable") }
        return URL(fileURLWithPath: path)
    }
}
