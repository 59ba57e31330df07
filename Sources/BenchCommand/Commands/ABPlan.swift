import BenchHarness
import Foundation

/// The plan of an A/B comparison: the two sides, the number of pairs, and the comparison's options.
struct ABPlan {
    /// One of the two sides.
    struct Side: Equatable {
        let name: String
        /// The side's name in messages: the program, or the driver.
        let title: String
        /// The program and its arguments, without the output.
        let command: [String]
    }

    let base: Side
    let new: Side
    let pairs: Int
    let seed: UInt64
    /// Whether the two sides are drivers, not programs.
    let isOfDrivers: Bool
    /// The name of the two drivers together.
    let title: String
    let options: ComparisonOptions

    private static let leastPairs = 10

    init(_ invocation: Invocation, _ judging: ComparisonOptions) throws {
        let parsed = invocation.parsed
        let drivers = (base: parsed.value("--base-driver"), new: parsed.value("--new-driver"))
        isOfDrivers = drivers.base != nil || drivers.new != nil
        try Self.checkSides(parsed, drivers)
        let scenario = try RunInputs.scenario(invocation)
        seed = scenario.seed
        title = "\(drivers.base ?? "") → \(drivers.new ?? "")"
        let names =
            try isOfDrivers ? [] : RunInputs.drivers(invocation.drivers, parsed.all("--driver"), scenario).map(\.name)
        let common = try Self.arguments(parsed)
        base = try Self.side(
            "base", parsed.value("--base"), drivers.base.map { [$0] } ?? names, common, title: drivers.base)
        new = try Self.side("new", parsed.value("--new"), drivers.new.map { [$0] } ?? names, common, title: drivers.new)
        options = Self.options(judging, isOfDrivers: isOfDrivers)
        let tests = options.testCount(phases: scenario.resultNames, drivers: isOfDrivers ? 1 : names.count)
        pairs = try parsed.count("--pairs", in: 1...1_000) ?? max(Self.leastPairs, options.pairsNeeded(tests: tests))
    }

    private static func checkSides(
        _ parsed: ParsedArguments, _ drivers: (base: String?, new: String?)
    ) throws(UsageError) {
        let hasDrivers = drivers.base != nil || drivers.new != nil
        if hasDrivers, drivers.base == nil || drivers.new == nil {
            throw UsageError("--base-driver and --new-driver belong together; give both")
        }
        if hasDrivers, !parsed.all("--driver").isEmpty {
            throw UsageError("--driver and --base-driver exclude each other; give one")
        }
        if !hasDrivers, parsed.value("--base") == nil, parsed.value("--new") == nil {
            throw UsageError("bench ab needs two sides: --base BINARY, or --base-driver D --new-driver D")
        }
    }

    /// Returns the arguments that both sides share.
    private static func arguments(_ parsed: ParsedArguments) throws -> [String] {
        let scenario = try ScenarioLocator().locate(parsed.operands[0]).absoluteURL.path
        var arguments = ["run", scenario, "--repetitions", "1", "--quiet"]
        if let scale = parsed.value("--scale") { arguments += ["--scale", scale] }
        if parsed.has("--allow-debug") { arguments.append("--allow-debug") }
        return arguments
    }

    private static func side(
        _ name: String, _ binary: String?, _ drivers: [String], _ arguments: [String], title: String?
    ) throws(UsageError) -> Side {
        let program = binary.map { URL(fileURLWithPath: $0).path } ?? RunInputs.executable
        guard FileManager.default.isExecutableFile(atPath: program), !OutputFile.isFolder(URL(fileURLWithPath: program))
        else {
            throw UsageError(
                "--\(name) \(binary ?? program): expected an executable program, such as .build/release/bench")
        }
        return Side(
            name: name, title: title ?? binary ?? program,
            command: [program] + arguments + drivers.flatMap { ["--driver", $0] })
    }

    private static func options(_ judging: ComparisonOptions, isOfDrivers: Bool) -> ComparisonOptions {
        var options = judging
        options.pairing = .paired
        options.relation = .absolute
        // Each driver has its own counters.
        options.judgesCounters = !isOfDrivers
        if isOfDrivers { options.drivers = [] }
        return options
    }
}
