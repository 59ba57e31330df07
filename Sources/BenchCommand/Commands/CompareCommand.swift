import BenchHarness
import Foundation

/// `bench compare`.
struct CompareCommand: Subcommand {
    static let spec = CommandSpec(
        name: "compare", summary: "Judge whether figures got worse from one result to another.",
        operand: "BASE.csv NEW.csv", operandCount: 0...2,
        options: [
            OptionSpec(
                name: "--base", value: "CSV", isRepeatable: true, completion: .file,
                help: "A result of the base, instead of BASE.csv; repeatable, to pool repetitions."),
            OptionSpec(
                name: "--new", value: "CSV", isRepeatable: true, completion: .file,
                help: "A result to judge, instead of NEW.csv; repeatable."),
        ] + AcceptOptions.specs + JudgingOptions.specs + [
            relativeToSpec,
            OptionSpec(name: "--absolute", help: "Judge absolute times and memory, even from different machines."),
            OptionSpec(
                name: "--allow-different-scenarios", help: "Compare runs of different scenarios or scales."),
            OptionSpec(
                name: "--noise", value: "JSON", completion: .file,
                help: "The record of bench noise; default: search beside the results and in Results."),
            CommandSpec.help,
        ],
        examples: [
            "bench compare Results/base.csv Results/new.csv",
            "bench compare base.csv new.csv --relative-to sqlite --threshold duration=5%",
            "bench compare base.csv new.csv --accept \"fetch-sync 5% because every row is checked\"",
            "bench compare --base monday.csv --base tuesday.csv --new today.csv --format markdown",
        ],
        exits: [
            .success: "Nothing is known to have become worse.",
            .regression: "A figure became worse by more than its threshold.",
            .failure: "A phase of the new runs failed or its outcome was wrong.",
            .insufficientData: "There are too few repetitions, or a side lacks a phase; with --strict, also if a "
                + "figure stayed open.",
        ])

    static let relativeToSpec = OptionSpec(
        name: "--relative-to", value: "D", completion: .driver,
        help: "Judge times and memory as ratios to this driver in the same run and repetition.")

    private let console: Console
    private let base: [RecordedRun]
    private let new: [RecordedRun]
    private let options: ComparisonOptions
    private let output: JudgingOptions
    private let noise: NoiseRecord?

    init(_ invocation: Invocation) throws {
        console = invocation.console
        let parsed = invocation.parsed
        output = try JudgingOptions(parsed)
        var options = output.comparison
        options.relation = try Self.relation(parsed)
        options.accepted = try AcceptOptions.read(parsed)
        options.allowsDifferentScenarios = parsed.has("--allow-different-scenarios")
        self.options = options
        let (basePaths, newPaths) = try Self.paths(parsed)
        base = try basePaths.map { try RecordedRun(contentsOf: URL(fileURLWithPath: $0)) }
        new = try newPaths.map { try RecordedRun(contentsOf: URL(fileURLWithPath: $0)) }
        noise = try Self.noise(
            parsed.value("--noise"), of: base + new, isOfScenario: !options.allowsDifferentScenarios)
    }

    /// Returns the record at a path, which must be of the runs; without a path, one of them that lies where it is
    /// looked for.
    private static func noise(
        _ path: String?, of runs: [RecordedRun], isOfScenario: Bool
    ) throws(RunError) -> NoiseRecord? {
        guard let path else { return try NoiseRecord.find(for: runs) }
        let record = try NoiseRecord.read(URL(fileURLWithPath: path))
        try record.check(runs, isOfScenario: isOfScenario)
        return record
    }

    func run() throws -> ExitCode {
        let comparison = try Comparison(base: base, new: new, options: options, noise: noise)
        return try output.report(comparison, console)
    }

    private static func paths(_ parsed: ParsedArguments) throws(UsageError) -> (base: [String], new: [String]) {
        let (base, new) = (parsed.all("--base"), parsed.all("--new"))
        switch (parsed.operands.count, base.isEmpty, new.isEmpty) {
        case (2, true, true): return ([parsed.operands[0]], [parsed.operands[1]])
        case (0, false, false): return (base, new)
        case (1, true, false): return ([parsed.operands[0]], new)
        case (1, false, true): return (base, [parsed.operands[0]])
        default:
            throw UsageError(
                "bench compare needs two sides: BASE.csv NEW.csv, or --base and --new; see bench compare --help")
        }
    }

    /// Returns what the figures are relative to.
    static func relation(_ parsed: ParsedArguments) throws(UsageError) -> ComparisonOptions.Relation {
        switch (parsed.value("--relative-to"), parsed.has("--absolute")) {
        case (nil, false): return .automatic
        case (nil, true): return .absolute
        case (let driver?, false): return .relative(to: driver)
        case (_?, true): throw UsageError("--relative-to and --absolute exclude each other; give one")
        }
    }
}
