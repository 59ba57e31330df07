import BenchHarness
import Foundation

/// `bench noise`: runs one build several times, to measure how much this machine's figures differ without a change,
/// or how often a comparison of two such runs raises a false alarm.
struct NoiseCommand: Subcommand {
    static let spec = CommandSpec(
        name: "noise",
        summary: "Run one build several times, to record this machine's noise for bench compare, or to measure how "
            + "often bench compare raises a false alarm.",
        operand: "SCENARIO", operandCount: 1...1, operandCompletion: .scenario,
        options: [
            OptionSpec(name: "--runs", value: "N", help: "How many runs to compare with each other; default: 5."),
            OptionSpec(
                name: "--for", value: "TIME",
                help: "Measure how often bench compare raises a false alarm: begin runs for this time, such as 90m or "
                    + "4h, and compare the first with the second, the third with the fourth, and so on. A later call adds to the same file."
            ),
            RunInputs.repetitionsSpec, RunInputs.driverSpec, RunInputs.storeSpec,
            OptionSpec(
                name: "--output", value: "PATH", completion: .file,
                help: "The file to write: the noise (default: Results/<scenario>.noise.json, where bench compare "
                    + "looks), or with --for the runs (default: Results/<scenario>.repeats.jsonl)."),
            OptionSpec(
                name: "--format", value: "F", completion: .words(of: Format.self),
                help: "How to show the rate of false alarms: text or json; default: text."),
        ] + RunInputs.specs + [CommandSpec.help],
        examples: [
            "bench noise smoke", "bench noise million --runs 3 --force",
            "bench noise ci --for 4h --repetitions 8 --driver managed",
            "bench noise million --runs 3 --store postgresql://localhost/bench",
        ])
    static let measures = true

    enum Format: String, CaseIterable {
        case text
        case json
    }

    private static let defaultRuns = 5

    let console: Console
    let inputs: RunInputs
    let isQuiet: Bool
    /// How long to repeat runs, in seconds; nil to record the noise of a few.
    private let span: Double?
    private let runs: Int
    let format: Format

    init(_ invocation: Invocation) throws {
        console = invocation.console
        let parsed = invocation.parsed
        isQuiet = parsed.has("--quiet")
        let span = try parsed.duration("--for")
        self.span = span
        if span != nil, parsed.has("--runs") {
            throw UsageError("--for repeats runs for a time, --runs a number of times; give one of them")
        }
        if span == nil, parsed.has("--format") {
            throw UsageError("--format is for the rate of false alarms, which needs --for TIME")
        }
        runs = try parsed.count("--runs", in: 2...100) ?? Self.defaultRuns
        format = try parsed.choice("--format") ?? .text
        inputs = try RunInputs(invocation, addsToOutput: span != nil) {
            span == nil ? NoiseRecord.fileName($0.name) : RepeatedRuns.fileName($0.name)
        }
    }

    func run() throws -> ExitCode {
        try inputs.prepare(console)
        let interruption = Interruption()
        let signals = SignalTrap { interruption.request() }
        defer { signals.end() }
        let scratch = try ScratchFolder(in: inputs.request.storeParent)
        defer { scratch.remove() }
        if let span { return try repeatRuns(for: span, in: scratch.url, interruption) }
        return try record(in: scratch.url, interruption)
    }

    private func record(in scratch: URL, _ interruption: Interruption) throws -> ExitCode {
        var recorded: [RecordedRun] = []
        for number in 1...runs {
            if !isQuiet { console.note("bench: run \(number) of \(runs)\n") }
            let output = scratch.appendingPathComponent("run-\(number).csv")
            if let code = try runOnce(output, interruption) {
                if code == .interrupted { console.note("bench: interrupted before the noise was recorded\n") }
                return code
            }
            recorded.append(try RecordedRun(contentsOf: output))
        }
        let record = try NoiseRecord(recorded)
        try record.write(to: inputs.request.output)
        console.text(record.text(isColoured:width:))
        console.text("Noise: \(inputs.request.output.relativePath)\n")
        return .success
    }

    /// - Returns: The exit code after a failure or an interruption.
    func runOnce(_ output: URL, _ interruption: Interruption) throws -> ExitCode? {
        var request = inputs.request
        request.output = output
        request.replacesOutput = true
        let reporter = ProgressReporter(scenario: request.scenario, console: console, isQuiet: isQuiet)
        defer { reporter.end() }
        let outcome = try Run(request, interruption: interruption) { reporter.receive($0) }.run()
        if outcome.isInterrupted { return .interrupted }
        console.errors(outcome.failures)
        return outcome.failures.isEmpty ? nil : .failure
    }
}
