import BenchHarness
import Foundation

/// `bench ab`: compares two programs, two drivers or two commands that take turns on one core.
struct ABCommand: Subcommand {
    static let spec = CommandSpec(
        name: "ab",
        summary: "Compare two builds, drivers or commands that take turns on one core; exit with 1 on a regression.",
        operand: "[SCENARIO]", operandCount: 0...1, operandCompletion: .scenario,
        options: [
            OptionSpec(
                name: "--base", value: "BINARY", completion: .file,
                help: "The old bench program; default: the one that you are running."),
            OptionSpec(
                name: "--new", value: "BINARY", completion: .file,
                help: "The new bench program, which is judged; default: the one that you are running."),
            OptionSpec(name: "--base-driver", value: "D", completion: .driver, help: "The driver of the base."),
            OptionSpec(name: "--new-driver", value: "D", completion: .driver, help: "The driver to judge."),
            OptionSpec(
                name: "--budget", value: "TIME",
                help: "The time after which no launch begins, such as 90s, 10m or 1h; default: 10m."),
        ] + ABCommands.specs + ABPlan.paceSpecs + [
            OptionSpec(
                name: "--output", value: "DIR", completion: .folder,
                help: "The folder for base.csv, new.csv and turns.csv, created if missing; default: keep none.")
        ] + ExplainOptions.specs + AcceptOptions.specs + JudgingOptions.specsOfTurns
            + [RunInputs.storeSpec] + RunInputs.specsWithoutOutput + [
                CommandSpec.help
            ],
        examples: [
            "bench ab --base ../before/.build/release/bench ci --driver managed",
            "bench ab --base ../before/bench ci --accept \"fetch-sync 5% because every row is checked\"",
            "bench ab --base-driver sqlite --new-driver managed ci --budget 5m",
            "bench ab --base-command './before input' --new-command './after input'",
        ],
        exits: [
            .success: "Nothing is known to have become worse. What stayed open is named, with the command that "
                + "decides it.",
            .regression: "A figure became worse by more than its threshold.",
            .failure: "A phase of the new side failed or its outcome was wrong.",
            .insufficientData: "There are too few launches to judge anything; with --strict, also if a figure stayed "
                + "open.",
            .interrupted: "Interrupted before a verdict.",
        ])
    static let measures = true

    private let console: Console
    private let plan: ABPlan
    private let judging: JudgingOptions
    private let explaining: ExplainOptions
    private let storeParent: URL
    /// The drivers whose stores may be left on a server.
    private let servers: [any StoreDriver]
    private let output: URL?
    private let isQuiet: Bool

    init(_ invocation: Invocation) throws {
        console = invocation.console
        let parsed = invocation.parsed
        judging = try JudgingOptions(parsed)
        explaining = try ExplainOptions(parsed)
        plan = try ABPlan(invocation, judging.comparison)
        isQuiet = parsed.has("--quiet")
        servers = plan.servers(of: invocation)
        storeParent = try RunInputs.storeFolder(parsed)
        output = try parsed.value("--output").map { try Self.outputFolder($0, force: parsed.has("--force")) }
    }

    func run() throws -> ExitCode {
        let (interruption, endOfExplanation) = (Interruption(), Interruption())
        let signals = SignalTrap {
            interruption.request()
            endOfExplanation.request()
        }
        defer { signals.end() }
        let scratch = try ScratchFolder(in: storeParent)
        defer { scratch.remove(with: servers) }
        if !isQuiet, let announcement = explaining.announcement(plan.request, in: scratch.url) {
            console.note("bench: \(announcement)\n")
        }
        let progress = ABProgress(console: console, isQuiet: isQuiet)
        let run = PairedRun(plan.request, plan.options, in: scratch.url, interruption: interruption)
        guard let outcome = try run.run(onProgress: progress.show), !interruption.isRequested else {
            progress.end()
            console.note("bench: interrupted before a verdict\n")
            return .interrupted
        }
        progress.end()
        // A file that cannot be written does not take the verdict away.
        let writing = Result { if let output { try write(outcome, to: output) } }
        var comparison = try Comparison(outcome, options: plan.options)
        explaining.explain(
            &comparison, plan.request, in: scratch.url, endOfExplanation,
            InstructionProgress(console: console, isQuiet: isQuiet))
        let code = try judging.report(comparison, console)
        if judging.isText, comparison.outcome == .inconclusive || comparison.outcome == .insufficientData,
            let command = DecidingCommand(plan.request.commandLine, outcome.remainder)
        {
            console.text("\nto decide what is open:\n  \(command.text)\n")
        }
        try writing.get()
        return code
    }

    private func write(_ outcome: PairedOutcome, to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try outcome.write(to: folder)
    }

    /// Checks that results can be written into a folder, which need not exist yet.
    private static func outputFolder(_ path: String, force: Bool) throws(UsageError) -> URL {
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        if !FileManager.default.fileExists(atPath: folder.path) {
            let parent = folder.deletingLastPathComponent()
            guard OutputFile.isFolder(parent) else {
                throw UsageError("--output \(path): there is no folder \(parent.path); create it first")
            }
            guard OutputFile.isWritable(parent) else {
                throw UsageError("--output \(path): the folder \(parent.path) is not writable; choose another")
            }
            return folder
        }
        guard OutputFile.isFolder(folder), OutputFile.isWritable(folder) else {
            throw UsageError("--output \(path): expected a writable folder")
        }
        for name in PairedOutcome.fileNames where !force {
            let file = folder.appendingPathComponent(name)
            if FileManager.default.fileExists(atPath: file.path) {
                throw UsageError("\(file.relativePath) exists; --force replaces it")
            }
        }
        return folder
    }
}
