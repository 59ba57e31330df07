import BenchHarness

/// A subcommand: what can be typed, and what is then done. Creating one checks all that was typed, before anything
/// happens.
protocol Subcommand: SendableMetatype {
    /// What can be typed.
    static var spec: CommandSpec { get }
    /// Checks the arguments; throws a ``UsageError`` or a `ScenarioError` that names what is wrong with them.
    init(_ invocation: Invocation) throws
    /// Does it.
    func run() throws -> ExitCode
}

/// What a subcommand was called with.
struct Invocation {
    /// The drivers of this program, the baseline first.
    let drivers: [any StoreDriver]
    /// Where to write.
    let console: Console
    /// What was typed after the subcommand's name.
    let parsed: ParsedArguments
    /// All that was typed.
    let commandLine: [String]

    /// Reads scenarios that name none but these drivers.
    var reader: ScenarioReader { ScenarioReader(drivers: drivers.map(\.name)) }
}

/// The subcommands there are, in the order of the help.
enum Subcommands {
    static let all: [any Subcommand.Type] = [
        RunCommand.self, ShowCommand.self, CompareCommand.self, ABCommand.self, NoiseCommand.self, PowerCommand.self,
        TortureCommand.self, TrendCommand.self, ReportCommand.self, ExportCommand.self, ListCommand.self,
        ValidateCommand.self, CompletionsCommand.self, WorkerCommand.self, TortureWorkerCommand.self,
    ]
}
