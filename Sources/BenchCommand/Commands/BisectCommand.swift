import BenchHarness
import Foundation

/// `bench bisect`: finds the commit that slowed a phase.
struct BisectCommand: Subcommand {
    static let spec = CommandSpec(
        name: "bisect", summary: "Find the commit that slowed a phase.", operand: "GOOD..BAD SCENARIO",
        operandCount: 2...2, operandCompletion: .scenario,
        options: [
            OptionSpec(name: "--phase", value: "P", help: "The phase that became slower; must be given."),
            JudgingOptions.driverSpec,
            OptionSpec(
                name: "--budget", value: "TIME",
                help: "The time for each commit, such as 90s or 10m; an inconclusive one is tried once more with "
                    + "twice as much; default: 5m."),
            OptionSpec(
                name: "--build", value: "CMD",
                help: "The command that builds a commit, in its checkout; default: \(defaultBuild)."),
            OptionSpec(
                name: "--bench-path", value: "PATH",
                help: "The program that the build makes, relative to the checkout; default: \(defaultPath)."),
            OptionSpec(
                name: "--builds", value: "DIR", completion: .folder,
                help: "The folder that keeps builds by their commit; default: ~/.cache/bench-base."),
            JudgingOptions.thresholdSpec,
        ] + ExplainOptions.specs + ABPlan.paceSpecs + [RunInputs.storeSpec]
            + RunInputs.specsWithoutOutput.filter { $0.name != "--force" } + [
                CommandSpec.help
            ],
        examples: [
            "bench bisect v1.0..HEAD ci --phase fetch-sync",
            "bench bisect v1.0..main ci --phase fetch-sync --driver managed --threshold cpu=5% --budget 10m",
            "bench bisect 3f2a9c1..HEAD todo.json --phase seed --build \"make bench\" --bench-path build/bench",
        ],
        exits: [
            .success: "The commit was found.",
            .usage: "The command line or an input is invalid, or an end of the line of commits does not build.",
            .insufficientData: "There is no regression, several commits may be the one, or the data does not decide.",
            .interrupted: "Interrupted before an answer.",
        ])
    static let measures = true

    private static let defaultBuild = "swift build -c release --product bench"
    private static let defaultPath = ".build/release/bench"
    private static let defaultBudget = 300.0

    private let console: Console
    private let plan: ABPlan
    private let explaining: ExplainOptions
    private let phase: String
    private let checkout: GitCheckout
    private let builds: CommitBuilds
    private let good: Commit
    private let line: [Commit]
    private let storeParent: URL
    /// The drivers whose stores may be left on a server.
    private let servers: [any StoreDriver]
    private let isQuiet: Bool

    init(_ invocation: Invocation) throws {
        console = invocation.console
        let parsed = invocation.parsed
        isQuiet = parsed.has("--quiet")
        explaining = try ExplainOptions(parsed)
        let scenario = try RunInputs.scenario(invocation, operand: 1)
        phase = try Self.phase(parsed, scenario)
        var plan = try ABPlan(ofBuilds: invocation, scenario, JudgingOptions(parsed).comparison)
        plan.request.budgetSeconds = try parsed.duration("--budget") ?? Self.defaultBudget
        self.plan = plan
        servers = plan.servers(of: invocation)
        let names = try Self.ends(parsed.operands[0])
        checkout = try GitCheckout()
        good = try checkout.commit(names.good)
        line = try checkout.line(from: good, to: checkout.commit(names.bad))
        storeParent = try RunInputs.storeFolder(parsed)
        builds = try CommitBuilds(
            command: parsed.value("--build") ?? Self.defaultBuild,
            path: parsed.value("--bench-path") ?? Self.defaultPath,
            folder: parsed.value("--builds"), checkout)
    }

    func run() throws -> ExitCode {
        let interruption = Interruption()
        let signals = SignalTrap { interruption.request() }
        defer { signals.end() }
        let scratch = try ScratchFolder(in: storeParent)
        defer { scratch.remove(with: servers) }
        let run = BisectRun(
            plan: plan, explaining: explaining, builds: builds, good: good, line: line, scratch: scratch.url,
            console: console, isQuiet: isQuiet, interruption: interruption)
        do {
            let (answer, trials) = try run.run()
            let text = BisectText(run: run, phase: phase, answer: answer, trials: trials)
            console.text(text.text)
            return text.code
        } catch is CommitBuilds.Stopped {
            console.note("bench: interrupted before the commit was found\n")
            return .interrupted
        }
    }

    private static func ends(_ range: String) throws(UsageError) -> (good: String, bad: String) {
        let names = range.components(separatedBy: "..")
        guard names.count == 2, names.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else {
            throw UsageError("\"\(range)\": expected GOOD..BAD, such as v1.0..HEAD")
        }
        return (names[0], names[1])
    }

    private static func phase(_ parsed: ParsedArguments, _ scenario: Scenario) throws(UsageError) -> String {
        let names = scenario.phases.map(\.name)
        guard let phase = parsed.value("--phase") else {
            throw UsageError("bench bisect needs --phase P, one of \(names.joined(separator: ", "))")
        }
        guard (names + scenario.resultNames).contains(phase) else {
            throw UsageError(ParsedArguments.unknown("phase", phase, among: names))
        }
        return phase
    }
}
