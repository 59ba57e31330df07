import BenchHarness
import Foundation

/// The options for judgement and output that `bench compare` and `bench ab` share.
struct JudgingOptions {
    enum Format: String, CaseIterable {
        case text
        case markdown
        case json
        case junit
    }

    static let alphaSpec = OptionSpec(
        name: "--alpha", value: "P",
        help: "The highest acceptable probability of any false verdict (regressed or improved); default: 0.05, with "
            + "turns of bench ab 0.002.")
    static let thresholdSpec = OptionSpec(
        name: "--threshold", value: "METRIC=PERCENT", isRepeatable: true,
        completion: .beginnings(Metric.all.map { "\($0.name)=" }),
        help: "How much a metric may get worse, such as duration=5%; repeatable.")
    static let driverSpec = OptionSpec(
        name: "--driver", value: "D", isRepeatable: true, completion: .driver,
        help: "Compare this driver only; repeatable.")
    static let phaseSpec = OptionSpec(
        name: "--phase", value: "P", isRepeatable: true, help: "Compare this phase only; repeatable.")
    /// Those of runs that were made one after the other.
    static let specs =
        [
            thresholdSpec, metricSpec,
            OptionSpec(name: "--only", help: "Judge only the metrics named with --metric."),
        ] + commonSpecs
    /// Those of sides that take turns.
    static let specsOfTurns = [thresholdSpec, metricSpec] + commonSpecs
    private static let metricSpec = OptionSpec(
        name: "--metric", value: "M", isRepeatable: true, completion: .words(Metric.all.map(\.name)),
        help: "Judge this metric too, such as queue_stall or latency_p99; --all lists all metrics.")
    private static let commonSpecs = [
        driverSpec, phaseSpec, alphaSpec,
        OptionSpec(name: "--strict", help: "Exit with 4 if any figure is inconclusive."),
        OptionSpec(name: "--all", help: "Show every figure, judged or not, and all columns."),
        OptionSpec(
            name: "--format", value: "F", completion: .words(of: Format.self),
            help: "text, markdown, json or junit; default: text."),
    ]

    let comparison: ComparisonOptions
    private let format: Format
    private let showsAll: Bool

    init(_ parsed: ParsedArguments) throws(UsageError) {
        var options = ComparisonOptions()
        options.thresholds = try Self.thresholds(parsed.all("--threshold"))
        for name in parsed.all("--metric") { options.moreMetrics.insert(try Self.metric(name).name) }
        options.judgesOnlyNamed = parsed.has("--only")
        if options.judgesOnlyNamed, options.moreMetrics.isEmpty {
            throw UsageError("--only needs metrics to judge: --metric duration --only")
        }
        options.drivers = Set(parsed.all("--driver"))
        options.phases = Set(parsed.all("--phase"))
        options.alpha = try Self.alpha(parsed)
        options.isStrict = parsed.has("--strict")
        comparison = options
        format = try parsed.choice("--format") ?? .text
        showsAll = parsed.has("--all")
    }

    /// Whether people read the output, rather than programs.
    var isText: Bool { format == .text }

    /// Writes the comparison in the requested format.
    ///
    /// - Returns: The exit code of the outcome, the same in all formats.
    func report(_ comparison: Comparison, _ console: Console) throws -> ExitCode {
        let text = ComparisonText(comparison, showsAll: showsAll)
        switch format {
        case .text: console.text(showsAll: showsAll, text.text(isColoured:width:))
        case .markdown: console.out(text.markdown)
        case .json: console.out(try comparison.json())
        case .junit: console.out(comparison.junit)
        }
        switch comparison.outcome {
        case .failed: return .failure
        case .regressed: return .regression
        case .insufficientData: return .insufficientData
        case .inconclusive: return comparison.isStrict ? .insufficientData : .success
        case .passed: return .success
        }
    }

    static func thresholds(_ texts: [String]) throws(UsageError) -> [String: Double] {
        var thresholds: [String: Double] = [:]
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else {
                throw UsageError("--threshold \(text): expected METRIC=PERCENT, such as duration=5%")
            }
            let metric = try metric(parts[0])
            thresholds[metric.name] = try percent(parts[1], of: "--threshold \(metric.name)") / 100
        }
        return thresholds
    }

    static func alpha(_ parsed: ParsedArguments) throws(UsageError) -> Double? {
        guard let text = parsed.value("--alpha") else { return nil }
        guard let alpha = Double(text), alpha > 0, alpha < 1 else {
            throw UsageError("--alpha \(text): expected a probability between 0 and 1, such as 0.02")
        }
        return alpha
    }

    /// Returns a percentage, with or without its sign.
    static func percent(_ text: String, of option: String) throws(UsageError) -> Double {
        let number = text.hasSuffix("%") ? String(text.dropLast()) : text
        guard let percent = Double(number), percent.isFinite, (0...1_000).contains(percent) else {
            throw UsageError("\(option) \(text): expected a percentage from 0% to 1000%")
        }
        return percent
    }

    private static func metric(_ name: String) throws(UsageError) -> Metric {
        guard let metric = Metric.named(name) else {
            throw UsageError(ParsedArguments.unknown("metric", name, among: Metric.all.map(\.name)))
        }
        return metric
    }
}
