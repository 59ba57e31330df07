import BenchHarness
import Foundation

/// `bench run`.
struct RunCommand: Subcommand {
    static let spec = CommandSpec(
        name: "run", summary: "Run a scenario and write its results to a CSV file.", operand: "SCENARIO",
        operandCount: 1...1, operandCompletion: .scenario,
        options: [
            RunInputs.repetitionsSpec, RunInputs.driverSpec, RunInputs.storeSpec,
            OptionSpec(
                name: "--output", value: "PATH", completion: .file,
                help: "The CSV to write; default: Results/<scenario>-<UTC time>.csv."),
        ] + RepetitionOptions.specs + FindMaxOptions.specs + ShardOptions.specs + RunInputs.specs + [CommandSpec.help],
        examples: [
            "bench run million", "bench run smoke --repetitions 3 --driver sqlite",
            "bench run million --scale 0.01 --output quick.csv --force",
            "bench run million --phase fetch-sync --precision 2% --time-budget 5m",
            "bench run ycsb-a --find-max --limit p99=50ms --driver managed",
            "bench run million --store postgresql://localhost/bench --driver postgres --driver managed-postgres",
            "bench run ycsb-a --shard 2/8 --meeting /mnt/shared/run-1 --store postgresql://db.example.com/bench",
        ],
        exits: [
            .success: "Every phase was done and verified.",
            .regression: "A load missed a limit, no rate kept it, or a figure grows faster than its limit.",
            .failure: "A phase failed or its outcome was wrong; the CSV has the others.",
            .insufficientData: "There are too few sizes to judge growth.",
            .interrupted: "Interrupted; the CSV has what was measured before.",
        ])
    static let measures = true

    private let console: Console
    private var inputs: RunInputs
    private let findMax: FindMaxOptions?
    private let isQuiet: Bool

    init(_ invocation: Invocation) throws {
        console = invocation.console
        let part = ShardOptions.suffix(invocation.parsed) ?? ""
        inputs = try RunInputs(invocation, isNamedAfterTime: true) { "\($0.name)-\(Self.timestamp)\(part).csv" }
        findMax = try FindMaxOptions(invocation.parsed, inputs.request.scenario)
        try RepetitionOptions.apply(invocation.parsed, to: &inputs.request)
        try ShardOptions.apply(
            invocation.parsed, to: &inputs.request, makesFolder: inputs.missingFolder != nil)
        isQuiet = invocation.parsed.has("--quiet")
    }

    /// Runs the scenario, prints the table and the path of the results.
    func run() throws -> ExitCode {
        try inputs.prepare(console)
        var command = self
        let claimed = try command.inputs.claimOutput()
        do {
            return try command.runPrepared()
        } catch {
            // A run that did not begin leaves nothing.
            if let claimed, (try? Data(contentsOf: claimed))?.isEmpty == true {
                try? FileManager.default.removeItem(at: claimed)
            }
            throw error
        }
    }

    private func runPrepared() throws -> ExitCode {
        let interruption = Interruption()
        let signals = SignalTrap { interruption.request() }
        defer { signals.end() }
        let reporter = ProgressReporter(
            scenario: inputs.request.scenario, console: console, isQuiet: isQuiet, isSearch: findMax != nil,
            isOpen: inputs.request.stopping != nil)
        let outcome: RunOutcome
        var found: [FoundRate] = []
        do {
            let run = Run(inputs.request, interruption: interruption) { reporter.receive($0) }
            outcome = try findMax.map { try run.findMax($0.request) { found.append($0) } } ?? run.run()
        } catch {
            reporter.end()
            throw error
        }
        reporter.end()
        return findMax == nil ? report(outcome) : report(outcome, found)
    }

    /// Reports the search. Trials that missed their limits are part of it, not failures.
    private func report(_ outcome: RunOutcome, _ found: [FoundRate]) -> ExitCode {
        let table = FoundRateTable(found)
        if found.contains(where: { !$0.trials.isEmpty }) {
            console.text { "\n" + table.curves(isColoured: $0, width: $1) }
        }
        if !found.isEmpty { console.text { "\n" + table.text(isColoured: $0, width: $1) + "\n" } }
        console.errors(outcome.failures)
        let path = inputs.request.output.relativePath
        if outcome.isInterrupted {
            console.note("bench: interrupted; the trials so far are in \(path)\n")
            return .interrupted
        }
        console.shardProblems(outcome)
        console.text("Trials: \(path)\n")
        if let merged = outcome.merged { console.text("Trials of all shards: \(merged.relativePath)\n") }
        if !outcome.failures.isEmpty { return .failure }
        return found.contains { $0.rate == nil && $0.unsupportedReason == nil } ? .regression : .success
    }

    private static var timestamp: String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
        return format.string(from: Date())
    }

    /// Returns why drivers did not do phases, each reason once.
    private static func unsupported(_ rows: [ResultRow]) -> [String] {
        rows.filter { $0.status == .unsupported }.reduce(into: []) { reasons, row in
            let reason = "\(row.driver) does not support \(row.phase): \(row.error)"
            if !reasons.contains(reason) { reasons.append(reason) }
        }
    }

    private func report(_ outcome: RunOutcome) -> ExitCode {
        let path = inputs.request.output.relativePath
        let summary = ResultSummary(
            rows: outcome.rows, drivers: inputs.request.drivers.map(\.name), growth: inputs.request.scenario.growth)
        if !outcome.rows.isEmpty {
            console.text { "\n" + SummaryTable(summary).text(isColoured: $0, width: $1) + "\n" }
        }
        for reason in Self.unsupported(outcome.rows) { console.note("bench: \(reason)\n") }
        if let stopping = outcome.stopping { console.text("The run \(stopping.text).\n") }
        let contaminated = outcome.rows.filter { $0.contaminated == true }.count
        if contaminated > 0 {
            let rows = "\(contaminated) of \(outcome.rows.count) rows"
            console.warning("\(rows) were measured while other processes used the CPU, or on a slower machine")
        }
        console.errors(outcome.failures)
        if outcome.isInterrupted {
            console.note("bench: interrupted; partial results are in \(path)\n")
            return .interrupted
        }
        console.driftWarnings(outcome.rows)
        console.driftWarnings(outcome.mergedRows, of: "all shards, ")
        console.shardProblems(outcome)
        console.text("Results: \(path)\n")
        if let merged = outcome.merged { console.text("Results of all shards: \(merged.relativePath)\n") }
        if !outcome.failures.isEmpty { return .failure }
        let missed = (outcome.rows + outcome.mergedRows).filter { $0.missedLimits != nil }
        for row in missed {
            console.error("\(row.title): limits \(row.limits)")
        }
        for sentence in summary.growth?.missed ?? [] { console.error(sentence) }
        if !missed.isEmpty || summary.growth?.outcome == .missed { return .regression }
        return summary.growth?.outcome == .insufficientData ? .insufficientData : .success
    }
}
