import BenchHarness

/// A subcommand: its arguments and its action. The initialiser checks all arguments before any action.
protocol Subcommand: SendableMetatype {
    /// The name, the operands and the options.
    static var spec: CommandSpec { get }
    /// Whether it measures, which takes threads and files.
    static var measures: Bool { get }
    /// Checks the arguments; throws a ``UsageError`` or a `ScenarioError` that names the invalid one.
    init(_ invocation: Invocation) throws
    /// Runs the subcommand.
    func run() throws -> ExitCode
}

extension Subcommand {
    static var measures: Bool { false }
}

/// The input of a subcommand.
struct Invocation {
    /// The drivers of this program, the baseline first.
    let drivers: [any StoreDriver]
    /// What torture does.
    let torture: any TortureTask
    /// The output.
    let console: Console
    /// The arguments after the subcommand's name.
    let parsed: ParsedArguments
    /// All arguments.
    let commandLine: [String]

    /// A reader of scenarios that accepts only these drivers, and only files that one of them can copy.
    var reader: ScenarioReader {
        ScenarioReader(drivers: drivers.map(\.name), adopters: drivers.compactMap(\.adopter))
    }
}

/// All subcommands, in the order of the help.
enum Subcommands {
    static let all: [any Subcommand.Type] = [
        RunCommand.self, ShowCommand.self, MergeCommand.self, ShardsCommand.self, CompareCommand.self, ABCommand.self,
        BisectCommand.self, InstructionsCommand.self, NoiseCommand.self, PowerCommand.self, TortureCommand.self,
        TrendCommand.self, ReportCommand.self, ExportCommand.self, ListCommand.self, InitCommand.self,
        DescribeCommand.self,
        ValidateCommand.self, CompletionsCommand.self, WorkerCommand.self, TurnsCommand.self, TortureWorkerCommand.self,
        InstructionWorkerCommand.self, InspectionCommand.self,
    ]
}
