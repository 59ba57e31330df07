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
            help: "The time after which the count of instructions ends, such as 90s or 10m, added to that of --budget; "
                + "default: 3m."),
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

    /// What the explanation of a regression takes besides the budget, in words; nil if there will be none.
    func announcement(_ request: PairedRequest, in folder: URL) -> String? {
        guard when == .auto, counter(request, in: folder, Interruption()).canCount else { return nil }
        let (turns, more) = (Figure.clock(Int(request.budgetSeconds * 1e9)), Figure.clock(Int(seconds * 1e9)))
        return "launches begin within \(turns); if something regressed, up to \(more) are added, to count the "
            + "instructions of its functions (--explain-budget, or --explain never)"
    }

    private func counter(
        _ request: PairedRequest, in folder: URL, _ interruption: Interruption
    ) -> RegressionCounter {
        RegressionCounter(
            request, workerArgument: InstructionWorkerCommand.spec.name, seconds: seconds, in: folder,
            interruption: interruption)
    }

    /// Adds to a comparison what its regressed phases execute; its verdicts stay as they are.
    func explain(
        _ comparison: inout Comparison, _ request: PairedRequest, in folder: URL, _ interruption: Interruption,
        _ progress: InstructionProgress
    ) {
        if when == .never { return }
        counter(request, in: folder, interruption).explain(&comparison, onProgress: progress.show)
        progress.end()
    }
}
