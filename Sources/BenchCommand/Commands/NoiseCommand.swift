import BenchHarness
import Foundation

/// `bench noise`: runs one build several times, to measure how much this machine's figures differ without a change.
struct NoiseCommand: Subcommand {
    static let spec = CommandSpec(
        name: "noise", summary: "Measure this machine's noise with one build, for use by bench compare.",
        operand: "SCENARIO", operandCount: 1...1, operandCompletion: .scenario,
        options: [
            OptionSpec(name: "--runs", value: "N", help: "How many runs to compare with each other; default: 5."),
            RunInputs.repetitionsSpec, RunInputs.driverSpec,
            OptionSpec(
                name: "--output", value: "PATH", completion: .file,
                help: "The record to write; default: Results/<scenario>.noise.json, where bench compare looks."),
        ] + RunInputs.specs + [CommandSpec.help],
        examples: ["bench noise smoke", "bench noise million --runs 3 --force"])

    private static let defaultRuns = 5

    private let console: Console
    private let inputs: RunInputs
    private let isQuiet: Bool
    private let runs: Int

    init(_ invocation: Invocation) throws {
        console = invocation.console
        isQuiet = invocation.parsed.has("--quiet")
        runs = try invocation.parsed.count("--runs", in: 2...100) ?? Self.defaultRuns
        inputs = try RunInputs(invocation) { NoiseRecord.fileName($0.name) }
    }

    func run() throws -> ExitCode {
        try inputs.prepare(console)
        let interruption = Interruption()
        let signals = SignalTrap { interruption.request() }
        defer { signals.end() }
        let scratch = try ScratchFolder(in: inputs.request.storeParent)
        defer { scratch.remove() }
        var recorded: [RecordedRun] = []
        for number in 1...runs {
            if !isQuiet { console.note("bench: run \(number) of \(runs)\n") }
            let output = scratch.url.appendingPathComponent("run-\(number).csv")
            if let code = try runOnce(output, interruption) { return code }
            recorded.append(try RecordedRun(contentsOf: output))
        }
        let record = try NoiseRecord(recorded)
        try record.write(to: inputs.request.output)
        console.out(record.text(isColoured: console.isColoured))
        console.out("Noise: \(inputs.request.output.relativePath)\n")
        return .success
    }

    /// - Returns: The exit code after a failure.
    private func runOnce(_ output: URL, _ interruption: Interruption) throws -> ExitCode? {
        var request = inputs.request
        request.output = output
        let reporter = ProgressReporter(scenario: request.scenario, console: console, isQuiet: isQuiet)
        defer { reporter.end() }
        let outcome = try Run(request, interruption: interruption) { reporter.receive($0) }.run()
        if outcome.isInterrupted {
            console.note("bench: interrupted before the noise was recorded\n")
            return .interrupted
        }
        console.errors(outcome.failures)
        return outcome.failures.isEmpty ? nil : .failure
    }
}
