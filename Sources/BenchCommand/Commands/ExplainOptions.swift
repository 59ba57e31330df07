import BenchHarness
import BenchInstructions
import Foundation

/// The options of `bench ab` and `bench bisect` for why a figure regressed.
struct ExplainOptions {
    static let specs = [
        OptionSpec(
            name: "--explain", value: "WHEN", completion: .words(of: When.self),
            help: "Whether to count instructions, to name the functions that grew in regressed phases: auto (if "
                + "valgrind is installed) or never; default: auto."),
        OptionSpec(
            name: "--explain-budget", value: "TIME",
            help: "The time after which the count of instructions ends, such as 90s or 10m; default: 3m."),
    ]

    private enum When: String, CaseIterable {
        case auto
        case never
    }

    private let when: When
    private let seconds: Double

    init(_ parsed: ParsedArguments) throws(UsageError) {
        when = try parsed.choice("--explain") ?? .auto
        seconds = try parsed.duration("--explain-budget") ?? 180
    }

    /// Adds to a comparison what its regressed phases execute; its verdicts stay as they are.
    func explain(
        _ comparison: inout Comparison, _ request: PairedRequest, in folder: URL, _ interruption: Interruption,
        _ progress: InstructionProgress
    ) {
        if when == .never { return }
        let counter = RegressionCounter(
            request, workerArgument: InstructionWorkerCommand.spec.name, seconds: seconds, in: folder,
            interruption: interruption)
        counter.explain(&comparison, onProgress: progress.show)
        progress.end()
    }
}
