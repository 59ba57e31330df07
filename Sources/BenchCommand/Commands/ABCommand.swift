import BenchHarness
import Foundation

/// `bench ab`: compares two programs, or two drivers, side by side on one machine.
struct ABCommand: Subcommand {
    static let spec = CommandSpec(
        name: "ab", summary: "Compare two builds, or two drivers, in one interleaved run.", operand: "SCENARIO",
        operandCount: 1...1,
        options: [
            OptionSpec(
                name: "--base", value: "BINARY", completion: .file, help: "The bench of the base; default: this one."
            ),
            OptionSpec(
                name: "--new", value: "BINARY", completion: .file, help: "The bench to judge; default: this one."),
            OptionSpec(name: "--base-driver", value: "D", completion: .driver, help: "The driver of the base."),
            OptionSpec(name: "--new-driver", value: "D", completion: .driver, help: "The driver to judge."),
            OptionSpec(
                name: "--pairs", value: "N",
                help:
                    "Runs of each side; default: as many as judging all figures needs, at least 10."),
            OptionSpec(
                name: "--output", value: "DIR", completion: .folder,
                help: "The folder for base.csv and new.csv; default: keep neither."),
        ] + JudgingOptions.specs + RunInputs.specs + [CommandSpec.help],
        examples: [
            "bench ab --base ../before/.build/release/bench million --driver managed",
            "bench ab --base-driver sqlite --new-driver managed smoke --pairs 12",
        ])

    private let console: Console
    private let plan: ABPlan
    private let judging: JudgingOptions
    private let storeParent: URL
    private let output: URL?
    private let isQuiet: Bool

    init(_ invocation: Invocation) throws {
        console = invocation.console
        let parsed = invocation.parsed
        judging = try JudgingOptions(parsed)
        plan = try ABPlan(invocation, judging.comparison)
        isQuiet = parsed.has("--quiet")
        storeParent = try RunInputs.storeFolder(parsed)
        output = try parsed.value("--output").map { try Self.outputFolder($0, force: parsed.has("--force")) }
    }

    func run() throws -> ExitCode {
        let interruption = Interruption()
        let runner = ABRunner(plan: plan, console: console, isQuiet: isQuiet, interruption: interruption)
        let signals = SignalTrap {
            interruption.request()
            runner.stop()
        }
        defer { signals.end() }
        let scratch = try ScratchFolder(in: storeParent)
        defer { scratch.remove() }
        guard let (base, new) = try runner.run(in: scratch.url) else {
            console.note("bench: interrupted before a verdict\n")
            return .interrupted
        }
        if let output {
            try base.write(to: output.appendingPathComponent("base.csv"))
            try new.write(to: output.appendingPathComponent("new.csv"))
        }
        let sides = plan.isOfDrivers ? (base.renamed(plan.title), new.renamed(plan.title)) : (base, new)
        let comparison = try Comparison(base: [sides.0], new: [sides.1], options: plan.options)
        return try judging.report(comparison, console)
    }

    private static func outputFolder(_ path: String, force: Bool) throws(UsageError) -> URL {
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        guard OutputFile.isFolder(folder), OutputFile.isWritable(folder) else {
            throw UsageError("--output \(path): expected a writable folder")
        }
        for name in ["base.csv", "new.csv"] where !force {
            let file = folder.appendingPathComponent(name)
            if FileManager.default.fileExists(atPath: file.path) {
                throw UsageError("\(file.relativePath) exists; --force replaces it")
            }
        }
        return folder
    }
}
