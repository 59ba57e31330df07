import BenchHarness

/// The options of `bench run` that choose what is repeated, and how often.
enum RepetitionOptions {
    static let specs = [
        OptionSpec(
            name: "--phase", value: "P", isRepeatable: true,
            help: "Run this phase only, and the phases that it continues from; repeatable."),
        OptionSpec(
            name: "--warmups", value: "N", help: "Runs of each driver that are not recorded, instead of the scenario's."
        ),
        OptionSpec(
            name: "--seed", value: "N",
            help: "The seed of the records and of the order of the drivers, instead of the scenario's."),
        OptionSpec(
            name: "--precision", value: "P%",
            help: "Repeat until the confidence interval of every median time is within P % of it, or --time-budget is "
                + "spent."),
        OptionSpec(
            name: "--time-budget", value: "T",
            help: "Stop repeating after T, such as 90s or 5m; default with --precision: 10m."),
    ]

    /// The time for a run that is to be precise, in seconds.
    private static let standardBudget = 600.0
    /// The greatest number of repetitions of a run that stops by itself.
    private static let most = 1_000

    static func apply(_ parsed: ParsedArguments, to request: inout RunRequest) throws(UsageError) {
        request.phases = try RunInputs.phases(parsed, request.scenario)
        if let count = try parsed.count("--warmups", in: ScenarioLimits.warmups) { request.scenario.warmups = count }
        request.stopping = try stopping(parsed)
        guard request.stopping != nil else { return }
        guard !parsed.has("--find-max") else {
            throw UsageError("--find-max decides itself how often it tries; leave --precision and --time-budget out")
        }
        if !parsed.has("--repetitions") { request.scenario.repetitions = most }
    }

    private static func stopping(_ parsed: ParsedArguments) throws(UsageError) -> StoppingRule? {
        let budget = try parsed.duration("--time-budget")
        let precision = try parsed.value("--precision").map(precision)
        guard budget != nil || precision != nil else { return nil }
        return StoppingRule(precision: precision, budgetSeconds: budget ?? standardBudget)
    }

    private static func precision(_ text: String) throws(UsageError) -> Double {
        guard text.hasSuffix("%"), let percent = Double(text.dropLast()), percent > 0, percent <= 100 else {
            throw UsageError("--precision \(text): expected a percentage above 0, such as 2%")
        }
        return percent / 100
    }
}
