import BenchHarness
import Foundation

/// `bench torture`.
struct TortureCommand: Subcommand {
    static let spec = CommandSpec(
        name: "torture",
        summary: "Do loads, or move related records, in processes killed at random, and prove that no write is lost.",
        operand: "SCENARIO | --relations", operandCount: 0...1,
        options: [
            OptionSpec(
                name: "--relations",
                help: "Instead of a scenario's loads, move related records about, with every policy for conflicts."),
            OptionSpec(name: "--minutes", value: "N", help: "How long with each driver, such as 0.5; 1 otherwise."),
            OptionSpec(name: "--rounds", value: "N", help: "How many rounds on each store, instead of --minutes."),
            OptionSpec(
                name: "--driver", value: "D", isRepeatable: true, completion: .driver,
                help: "Torture this driver only; may be given several times."),
            OptionSpec(
                name: "--processes", value: "P",
                help: "Processes that write to the store at once; \(Self.defaultProcesses) otherwise."),
            OptionSpec(
                name: "--seed", value: "S",
                help: "Decides what the processes do and when they are killed; a new one each time otherwise."),
            RunInputs.scaleSpec,
            OptionSpec(
                name: "--store-dir", value: "DIR", completion: .folder,
                help: "Where the stores lie; the working directory otherwise. One that lost something is kept."),
            OptionSpec(name: "--quiet", help: "Show no progress."),
            CommandSpec.help,
        ],
        examples: [
            "bench torture load --minutes 3 --driver managed", "bench torture ycsb-a --scale 0.1 --processes 4",
            "bench torture load --rounds 20 --seed 7 --store-dir /mnt/disk", "bench torture --relations --processes 3",
        ])

    private static let defaultProcesses = 2
    private static let defaultMinutes = 1.0

    private let console: Console
    private let request: TortureRequest
    private let isQuiet: Bool

    init(_ invocation: Invocation) throws {
        let parsed = invocation.parsed
        console = invocation.console
        isQuiet = parsed.has("--quiet")
        let scenario = try Self.scenario(invocation)
        var request = TortureRequest(
            scenario: scenario, drivers: try Self.drivers(invocation, scenario),
            seed: UInt64(try parsed.count("--seed", in: 0...Int.max) ?? Int.random(in: 0..<1_000_000_000)),
            processes: try parsed.count("--processes", in: 1...64) ?? Self.defaultProcesses,
            limit: try Self.limit(parsed), storeParent: try RunInputs.storeFolder(parsed),
            workerCommand: [RunInputs.executable, TortureWorkerCommand.spec.name])
        request.isRelated = parsed.has("--relations")
        self.request = request
    }

    /// Tortures, shows the table, and says what was lost.
    func run() throws -> ExitCode {
        let interruption = Interruption()
        let signals = SignalTrap { interruption.request() }
        defer { signals.end() }
        let reporter = TortureReporter(request, console, isQuiet: isQuiet)
        reporter.begin()
        let torture = Torture(request, interruption: interruption) { reporter.show($0) }
        let outcome: TortureOutcome
        do {
            outcome = try torture.run()
        } catch {
            reporter.end()
            throw error
        }
        reporter.end()
        return report(outcome)
    }

    private func report(_ outcome: TortureOutcome) -> ExitCode {
        if !outcome.reports.isEmpty { console.out("\n" + outcome.table(isColoured: console.isColoured) + "\n") }
        console.out("Seed: \(request.seed). \(promise)\n")
        for report in outcome.reports {
            for problem in report.problems { console.error("\(report.driver): \(problem)") }
        }
        if let folder = outcome.keptFolder {
            console.error("the store and the journals are kept in \(folder.path); the seed is \(request.seed)")
            return .failure
        }
        guard outcome.isInterrupted else { return .success }
        console.note("bench: interrupted; nothing was lost until then\n")
        return .interrupted
    }

    /// What the store has promised.
    private var promise: String {
        let setting = "With synchronous=\(request.scenario.store.synchronous.rawValue)"
        return switch request.scenario.store.synchronous {
        case .full, .extra:
            "\(setting), nothing acknowledged may be lost, neither to SIGKILL nor to a power cut, which was not tried."
        case .off, .normal:
            "\(setting), nothing acknowledged may be lost to SIGKILL; a power cut, which was not tried, may cost the last writes."
        }
    }
}

// MARK: - What was typed

extension TortureCommand {
    private static func scenario(_ invocation: Invocation) throws -> Scenario {
        let parsed = invocation.parsed
        if parsed.has("--relations") { return try related(parsed) }
        guard !parsed.operands.isEmpty else {
            throw UsageError("bench torture needs SCENARIO or --relations; see bench torture --help")
        }
        var scenario = try invocation.reader.read(contentsOf: ScenarioLocator().locate(parsed.operands[0]))
        if let text = parsed.value("--scale") { scenario = scenario.scaled(by: try RunInputs.scale(text)) }
        if scenario.allSizes.count > 1 {
            throw UsageError("\(scenario.name) has several numbers of records; expected one")
        }
        if TortureRequest.phases(of: scenario).isEmpty {
            throw UsageError(
                "\(scenario.name) has no phase that writes by a ledger (mixed, or merge with contention, a duration or a "
                    + "rate); load and ycsb-a have")
        }
        return scenario
    }

    private static func related(_ parsed: ParsedArguments) throws -> Scenario {
        if let operand = parsed.operands.first {
            throw UsageError("--relations needs no scenario; found \"\(operand)\"")
        }
        guard let text = parsed.value("--scale") else { return TortureRequest.related }
        let scenario = TortureRequest.related.scaled(by: try RunInputs.scale(text))
        guard scenario.records >= 8 else { throw UsageError("--scale \(text): there must be 8 accounts at least") }
        return scenario
    }

    private static func drivers(_ invocation: Invocation, _ scenario: Scenario) throws -> [any StoreDriver] {
        let wanted = invocation.parsed.all("--driver")
        let drivers = try RunInputs.drivers(invocation.drivers, wanted, scenario)
        if invocation.parsed.has("--relations") {
            let able = drivers.filter { $0 is any RelatedStoreDriver }
            guard let other = drivers.first(where: { !($0 is any RelatedStoreDriver) }), !wanted.isEmpty || able.isEmpty
            else { return able }
            throw UsageError("\(other.name) cannot do --relations: unsupported, it has no store of related records")
        }
        for driver in drivers {
            // A driver tortures its store with those phases that it can do.
            let phases = TortureRequest.phases(of: scenario)
            let reasons = phases.compactMap { $0.reasonUnsupported(by: driver, entity: scenario.entity) }
            if reasons.count == phases.count, let reason = reasons.first {
                throw UsageError("\(driver.name) cannot do \(phases[0].name): \(reason)")
            }
        }
        return drivers
    }

    private static func limit(_ parsed: ParsedArguments) throws(UsageError) -> TortureRequest.Limit {
        if let rounds = try parsed.count("--rounds", in: 1...1_000_000) {
            if parsed.has("--minutes") { throw UsageError("--minutes and --rounds cannot both be given") }
            return .rounds(rounds)
        }
        guard let text = parsed.value("--minutes") else { return .seconds(defaultMinutes * 60) }
        guard let minutes = Double(text), minutes.isFinite, minutes > 0, minutes <= 10_000 else {
            throw UsageError("--minutes \(text): expected a number above 0, 10000 at most")
        }
        return .seconds(minutes * 60)
    }
}
