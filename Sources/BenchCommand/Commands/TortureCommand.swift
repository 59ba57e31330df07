import BenchHarness
import Foundation

/// `bench torture`.
struct TortureCommand: Subcommand {
    static let spec = CommandSpec(
        name: "torture",
        summary: "Write from processes that are killed at random, and check that no acknowledged write is lost.",
        operand: "SCENARIO", operandCount: 0...1, operandCompletion: .scenario,
        options: [
            OptionSpec(name: "--minutes", value: "N", help: "Minutes with each driver, such as 0.5; default: 1."),
            OptionSpec(name: "--rounds", value: "N", help: "Rounds on each store, instead of --minutes."),
            OptionSpec(
                name: "--driver", value: "D", isRepeatable: true, completion: .driver,
                help: "Torture this driver only; repeatable."),
            RunInputs.storeSpec,
            OptionSpec(
                name: "--server-wait", value: "SECONDS",
                help: "How long to wait for a server that is restarted; "
                    + "default: \(TortureRequest.defaultServerPatience)."),
            OptionSpec(
                name: "--processes", value: "P",
                help: "Processes that write to the store at once; default: \(Self.defaultProcesses)."),
            OptionSpec(
                name: "--seed", value: "S",
                help: "Sets what the processes do and when they are killed; default: a new one each time."),
            RunInputs.scaleSpec, RunInputs.setSpec,
            OptionSpec(
                name: "--store-dir", value: "DIR", completion: .folder,
                help: "The folder for the stores; default: the working directory. A store with a loss is kept."),
            RunInputs.quietSpec,
        ] + ShardOptions.specs + [CommandSpec.help],
        examples: [
            "bench torture load --minutes 3 --driver managed", "bench torture ycsb-a --scale 0.1 --processes 4",
            "bench torture load --rounds 20 --seed 7 --store-dir /mnt/disk", "bench torture chat --processes 3",
            "bench torture load --store postgresql:///bench --driver managed-postgres --minutes 5",
            "bench torture load --shard 2/8 --meeting /mnt/shared/run-1 --store postgresql://db.example.com/bench",
        ],
        exits: [
            .success: "Nothing was lost.",
            .failure: "A promise was broken; the folder that shows it is kept.",
            .interrupted: "Interrupted; nothing was lost until then.",
        ])
    static let measures = true

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
        request.task = invocation.torture
        request.isSeedGiven = parsed.has("--seed")
        request.sharing = try ShardOptions.request(parsed, request.drivers)
        if let seconds = try parsed.count("--server-wait", in: 0...86_400) {
            guard request.drivers.contains(where: { $0.server != nil }) else {
                throw UsageError("--server-wait is for stores on a server; give --store URL, or leave it out")
            }
            request.serverPatience = seconds
        }
        self.request = request
    }

    /// Runs the torture, prints the table, and reports losses.
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
        if !outcome.reports.isEmpty { console.text { "\n" + outcome.table(isColoured: $0, width: $1) + "\n" } }
        let shard = request.sharing?.shard
        let all = shard.map { $0.isWhole ? "" : "Of all \($0.count) shards. " } ?? ""
        console.text("\(all)Seed: \(outcome.seed). \(promise)\n")
        for report in outcome.reports {
            for problem in report.problems { console.error("\(report.driver): \(problem)") }
        }
        if let folder = outcome.keptFolder {
            let places = outcome.reports.filter { !$0.problems.isEmpty }.compactMap(\.place)
            console.error(kept(in: folder, places, seed: outcome.seed))
            return .failure
        }
        guard outcome.isInterrupted else { return .success }
        let others = outcome.stoppedShards.filter { $0 != request.sharing?.shard.index }
        let who = others.isEmpty ? "" : " by shard \(others.map(String.init).joined(separator: ", "))"
        console.note("bench: interrupted\(who); no loss found until then\n")
        return .interrupted
    }

    /// Says where what a failure left behind is.
    private func kept(in folder: URL, _ places: [String], seed: UInt64) -> String {
        let hasStores = places.isEmpty && (request.sharing?.shard.index ?? 0) == 0
        let stores = hasStores ? "the store and the journals are kept in" : "the journals are kept in"
        let remote = places.map { ", the store in \($0)" }.joined()
        return "\(stores) \(folder.path)\(remote); the seed is \(seed)"
    }

    /// The guarantee of the stores.
    private var promise: String {
        let setting = "With synchronous=\(request.scenario.store.synchronous.rawValue)"
        let isDurable = [.full, .extra].contains(request.scenario.store.synchronous)
        let files =
            isDurable
            ? "\(setting), no acknowledged write may be lost, neither to SIGKILL nor to a power cut, which was not tested."
            : "\(setting), no acknowledged write may be lost to SIGKILL; a power cut, which was not tested, may lose the "
                + "last writes."
        let server =
            request.scenario.store.synchronous == .off
            ? "On a server, no acknowledged write may be lost to the SIGKILL of a client; a crash of the server, which is "
                + "left to you, may lose the last writes."
            : "On a server, no acknowledged write may be lost, neither to the SIGKILL of a client nor to a restart or a crash "
                + "of the server, which are left to you."
        let onServer = request.drivers.filter { $0.server != nil }.count
        return ((onServer < request.drivers.count ? [files] : []) + (onServer > 0 ? [server] : []))
            .joined(separator: " ")
    }
}

// MARK: - What was typed

extension TortureCommand {
    private static func scenario(_ invocation: Invocation) throws -> Scenario {
        let parsed = invocation.parsed
        var scenario = try invocation.torture.scenario.map { try given($0, parsed) } ?? chosen(invocation)
        if let text = parsed.value("--scale") { scenario = scenario.scaled(by: try RunInputs.scale(text)) }
        if scenario.allSizes.count > 1 {
            throw UsageError("\(scenario.name) has several numbers of records; choose a scenario with one")
        }
        try RunInputs.checkHasNoLists(scenario)
        if invocation.torture.scenario == nil, TortureRequest.phases(of: scenario).isEmpty {
            throw UsageError(
                "\(scenario.name) has no load that writes: a phase of the kind mixed or saves; try load or ycsb-a")
        }
        return scenario
    }

    private static func chosen(_ invocation: Invocation) throws -> Scenario {
        guard let name = invocation.parsed.operands.first else {
            throw UsageError("bench torture needs SCENARIO; see bench torture --help")
        }
        return try invocation.reader.read(
            contentsOf: ScenarioLocator(program: RunInputs.program).locate(name),
            settings: RunInputs.settings(invocation.parsed))
    }

    /// Returns the scenario of a program that has its own.
    private static func given(_ scenario: Scenario, _ parsed: ParsedArguments) throws(UsageError) -> Scenario {
        guard let extra = parsed.operands.first ?? (parsed.has("--set") ? "--set" : nil) else { return scenario }
        throw UsageError("this program tortures with \(scenario.name), not a scenario of yours; found \(extra)")
    }

    private static func drivers(_ invocation: Invocation, _ scenario: Scenario) throws -> [any StoreDriver] {
        let drivers = try RunInputs.driversWithStores(invocation, scenario)
        for driver in drivers {
            guard let reason = invocation.torture.reasonUnsupported(by: driver, in: scenario) else { continue }
            throw UsageError("\(driver.name) cannot do \(reason)")
        }
        return drivers
    }

    private static func limit(_ parsed: ParsedArguments) throws(UsageError) -> TortureRequest.Limit {
        if let rounds = try parsed.count("--rounds", in: 1...1_000_000) {
            if parsed.has("--minutes") { throw UsageError("--minutes and --rounds exclude each other; give one") }
            return .rounds(rounds)
        }
        guard let text = parsed.value("--minutes") else { return .seconds(defaultMinutes * 60) }
        guard let minutes = Double(text), minutes.isFinite, minutes > 0, minutes <= 10_000 else {
            throw UsageError("--minutes \(text): expected a number above 0 and up to 10000")
        }
        return .seconds(minutes * 60)
    }
}
