import BenchHarness

/// The options of `bench run` that search for the highest rate that a store sustains.
struct FindMaxOptions {
    static let specs = [
        OptionSpec(
            name: "--find-max", help: "Search for the highest rate at which each load still keeps its limits."),
        OptionSpec(
            name: "--limit", value: "LIMIT", isRepeatable: true,
            help: "With --find-max: a limit to keep, such as p99=50ms or errors=0, instead of the scenario's."),
        OptionSpec(
            name: "--trial-seconds", value: "S", help: "With --find-max: the length of each trial; default: 5."),
    ]

    let request: RateSearchRequest

    /// Reads the options; nil without `--find-max`.
    init?(_ parsed: ParsedArguments, _ scenario: Scenario) throws(UsageError) {
        guard parsed.has("--find-max") else {
            for option in ["--limit", "--trial-seconds"] where parsed.has(option) {
                throw UsageError("\(option) needs --find-max")
            }
            return nil
        }
        let loads = scenario.phases.compactMap { $0.work.as(LoadWork.self) }
        guard !loads.isEmpty else {
            throw UsageError("--find-max: \(scenario.name) has no load; try load or ycsb-a")
        }
        if scenario.allSizes.count > 1 {
            throw UsageError("--find-max: \(scenario.name) has several numbers of records; choose a scenario with one")
        }
        try RunInputs.checkHasNoLists(scenario)
        var search = RateSearchRequest()
        let limits = parsed.all("--limit")
        if !limits.isEmpty { search.limits["all"] = try Self.limit(limits) }
        if limits.isEmpty, loads.contains(where: { $0.limits.isEmpty }) {
            throw UsageError("--find-max needs limits; give --limit p99=50ms")
        }
        if let text = parsed.value("--trial-seconds") {
            guard let seconds = Double(text), seconds >= 0.1, seconds <= 3_600 else {
                throw UsageError("--trial-seconds \(text): expected a number of seconds from 0.1 to 3600")
            }
            search.trialSeconds = seconds
        }
        request = search
    }

    private static func limit(_ texts: [String]) throws(UsageError) -> LimitSpec {
        var limit = LimitSpec()
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2, parts[0] == "errors", let count = Int(parts[1]), count >= 0 {
                limit.errors = count
            } else if parts.count == 2, LimitSpec.percentiles["\(parts[0])_ms"] != nil,
                let time = milliseconds(parts[1])
            {
                limit.milliseconds["\(parts[0])_ms"] = time
            } else {
                throw UsageError(
                    "--limit \(text): expected p50, p90, p99, p999 or max with a time, such as p99=50ms, or errors=0")
            }
        }
        return limit
    }

    /// Returns `50ms`, `0.5s` or `800us` in milliseconds.
    private static func milliseconds(_ text: String) -> Double? {
        for (unit, factor) in [("ms", 1), ("us", 0.001), ("s", 1_000)] where text.hasSuffix(unit) {
            guard let number = Double(text.dropLast(unit.count)), number > 0, number < 1e8 else { return nil }
            return number * factor
        }
        return nil
    }
}
