import BenchHarness
import BenchInstructions
import Foundation

/// `bench instructions`: counts the instructions of each phase, and compares two builds by them.
struct InstructionsCommand: Subcommand {
    static let spec = CommandSpec(
        name: "instructions",
        summary: "Count the instructions of each phase with valgrind, or compare two builds by them.",
        operand: "SCENARIO", operandCount: 1...1, operandCompletion: .scenario,
        options: [
            OptionSpec(
                name: "--base", value: "BINARY", completion: .file,
                help: "The bench of the base, which this one is compared with; default: count this one alone."),
            RunInputs.driverSpec,
            OptionSpec(
                name: "--phase", value: "P", isRepeatable: true,
                help: "Count this phase only; repeatable."),
            OptionSpec(
                name: "--scale", value: "F",
                help: "Count with F times the records, such as 0.01; default: \(records) records at most."),
            RunInputs.setSpec, RunInputs.cacheSpec, RunInputs.storeSpec,
            OptionSpec(
                name: "--repetitions", value: "N",
                help: "How often each phase is counted, for the median; default: 3."),
            OptionSpec(
                name: "--threshold", value: "PERCENT",
                help: "How much the instructions of a phase may grow, such as 1%; default: 0.5%."),
            OptionSpec(
                name: "--parts",
                help: "Show the share of each part of the program: SQLite, the allocator, Swift's runtime, each module."
            ),
            OptionSpec(
                name: "--lanes", value: "N", help: "How many processes count at once; default: one for each core."),
            OptionSpec(
                name: "--format", value: "F", completion: .words(of: Format.self), help: "text or json; default: text."
            ),
            OptionSpec(
                name: "--output", alias: "-o", value: "PATH", completion: .file,
                help: "The CSV to write, with every count; default: write none."),
            RunInputs.storeFolderSpec(default: RunInputs.workingDirectory),
            OptionSpec(name: "--force", help: "Replace an existing CSV."), RunInputs.quietSpec,
            OptionSpec(
                name: "--allow-debug",
                help: "Count a debug build, whose instructions say nothing about a release build."),
        ] + AcceptOptions.specs + [CommandSpec.help],
        examples: [
            "bench instructions ci",
            "bench instructions smoke --driver sqlite --driver managed --phase fetch-sync --scale 0.05",
            "bench instructions ci --driver managed --base ../before/.build/release/bench",
            "bench instructions relationships --scale 0.1 --repetitions 1 --parts",
        ],
        exits: [
            .success: "Every phase was counted; with --base, none executes more than its limit allows.",
            .regression: "A phase executes more instructions than its limit allows.",
            .failure: "A phase failed.",
            .insufficientData: "A phase could not be counted on both sides.",
            .interrupted: "Interrupted before the counts were complete.",
        ])
    static let measures = true

    private static let records = Figure.count(InstructionRequest.records)

    private enum Format: String, CaseIterable {
        case text
        case json
    }

    private let console: Console
    private let request: InstructionRequest
    private let format: Format
    private let storeParent: URL
    /// The drivers whose stores may be left on a server.
    private let servers: [any StoreDriver]
    private let output: URL?
    private let isQuiet: Bool
    private let showsParts: Bool

    init(_ invocation: Invocation) throws {
        console = invocation.console
        let parsed = invocation.parsed
        format = try parsed.choice("--format") ?? .text
        isQuiet = parsed.has("--quiet")
        showsParts = parsed.has("--parts")
        if showsParts, format == .json {
            throw UsageError("--parts adds a table to the text; the JSON has the parts anyway")
        }
        request = try Self.request(invocation)
        servers = RunInputs.servers(request.drivers, of: invocation)
        storeParent = try RunInputs.storeFolder(parsed)
        output = parsed.value("--output").map { URL(fileURLWithPath: $0) }
        if let output { try OutputFile.check(output, replaces: parsed.has("--force")) }
    }

    func run() throws -> ExitCode {
        let interruption = Interruption()
        let signals = SignalTrap { interruption.request() }
        defer { signals.end() }
        let scratch = try ScratchFolder(in: storeParent)
        defer { scratch.remove(with: servers) }
        let progress = InstructionProgress(console: console, isQuiet: isQuiet)
        let run = InstructionRun(request, in: scratch.url, interruption: interruption)
        let result = Result { try run.run(onProgress: progress.show) }
        progress.end()
        guard let outcome = try result.get() else {
            console.note("bench: interrupted before the counts were complete\n")
            return .interrupted
        }
        if let output { try outcome.write(to: output) }
        switch format {
        case .text:
            console.text(outcome.text(isColoured:width:))
            if showsParts { console.text(outcome.parts(isColoured:width:)) }
        case .json: console.out(try outcome.json())
        }
        return Self.code(outcome.outcome)
    }

    private static func code(_ outcome: Comparison.Outcome) -> ExitCode {
        switch outcome {
        case .failed: .failure
        case .regressed: .regression
        case .insufficientData: .insufficientData
        case .inconclusive, .passed: .success
        }
    }

    private static func request(_ invocation: Invocation) throws -> InstructionRequest {
        let parsed = invocation.parsed
        let all = try RunInputs.scenario(invocation)
        try RunInputs.checkHasNoLists(all)
        let scenario = InstructionRequest.scenarioToCount(all, keepsScale: parsed.has("--scale"))
        let drivers = try RunInputs.driversWithStores(invocation, scenario)
        let executable = RunInputs.executable
        let base = try parsed.value("--base").map(base)
        var request: InstructionRequest
        do throws(RunError) {
            request = try InstructionRequest(
                scenario: scenario, drivers: drivers.map(\.name),
                new: InstructionRequest.Program(title: executable, executable: URL(fileURLWithPath: executable)),
                base: base, workerArgument: InstructionWorkerCommand.spec.name)
        } catch {
            throw UsageError(error.description)
        }
        request.phases = try RunInputs.phases(parsed, scenario)
        request.accepted = try AcceptOptions.read(parsed)
        if let count = try parsed.count("--repetitions", in: 1...1_000) { request.repetitions = count }
        if let lanes = try parsed.count("--lanes", in: 1...1_000) { request.lanes = lanes }
        if let text = parsed.value("--threshold") {
            request.threshold = try JudgingOptions.percent(text, of: "--threshold") / 100
        }
        return request
    }

    private static func base(_ binary: String) throws(UsageError) -> InstructionRequest.Program {
        InstructionRequest.Program(
            title: "--base \(binary)", executable: try RunInputs.program(binary, of: "--base"))
    }
}
