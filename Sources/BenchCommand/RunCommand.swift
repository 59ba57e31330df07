import BenchHarness
import Foundation

/// `bench run`.
struct RunCommand {
    private let command: BenchCommand
    private let console: Console
    private let inputs: RunInputs
    private let isQuiet: Bool

    init(_ command: BenchCommand, _ parsed: ParsedArguments, _ commandLine: [String]) throws {
        self.command = command
        console = command.console
        inputs = try RunInputs(command, parsed, commandLine)
        isQuiet = parsed.has("--quiet")
    }

    /// Runs the scenario, shows the table and says where the results are.
    func run() throws -> ExitCode {
        if let folder = inputs.missingFolder {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        warnOfMemoryFileSystem()
        let interruption = Interruption()
        let signals = SignalTrap { interruption.request() }
        defer { signals.end() }
        let reporter = ProgressReporter(scenario: inputs.request.scenario, console: console, isQuiet: isQuiet)
        let outcome: RunOutcome
        do {
            outcome = try Run(inputs.request, interruption: interruption) { reporter.receive($0) }.run()
        } catch {
            reporter.end()
            throw error
        }
        reporter.end()
        return report(outcome)
    }

    private func report(_ outcome: RunOutcome) -> ExitCode {
        let path = inputs.request.output.relativePath
        let table = SummaryTable(rows: outcome.rows, drivers: inputs.request.drivers.map(\.name))
        if !outcome.rows.isEmpty { console.out("\n" + table.text(isColoured: console.isColoured) + "\n") }
        let contaminated = outcome.rows.filter { $0.contaminated == true }.count
        if contaminated > 0 {
            console.warning("\(contaminated) of \(outcome.rows.count) rows were measured while others used the CPU")
        }
        for row in outcome.failures {
            console.error("\(row.driver), \(row.phase), repetition \(row.repetition): \(row.error)")
        }
        if outcome.isInterrupted {
            console.note("bench: interrupted; partial results are in \(path)\n")
            return .interrupted
        }
        console.out("Results: \(path)\n")
        return outcome.failures.isEmpty ? .success : .failure
    }

    private func warnOfMemoryFileSystem() {
        guard let system = FileSystem(of: inputs.request.storeParent), system.isMemory else { return }
        console.warning("stores lie on \(system.name), in memory: times say nothing of storage; --store-dir moves them")
    }
}
