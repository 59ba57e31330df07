/// An option of a subcommand. Parsing, help and completions all come from this.
struct OptionSpec: Sendable, Equatable {
    /// What a shell may complete a value with.
    enum Completion: Sendable, Equatable {
        case none
        case file
        case folder
        case driver
    }

    /// With its dashes.
    let name: String
    /// What stands for the value in the help; nil for a switch.
    var value: String?
    var isRepeatable = false
    var completion = Completion.none
    let help: String
}

/// A subcommand.
struct CommandSpec: Sendable {
    let name: String
    /// One line.
    let summary: String
    /// What stands for the operands in the help; nil when there are none.
    var operand: String?
    var operandCount: ClosedRange<Int> = 0...0
    var options: [OptionSpec] = []
    var examples: [String] = []
    /// Hidden from help and completions.
    var isHidden = false

    static let help = OptionSpec(name: "--help", help: "Show this help.")

    static let all = [run, list, validate, completions, worker]
    static let visible = all.filter { !$0.isHidden }

    static let run = CommandSpec(
        name: "run", summary: "Run a scenario and write its results to a CSV file.", operand: "SCENARIO",
        operandCount: 1...1,
        options: [
            OptionSpec(
                name: "--repetitions", value: "N", help: "Measured runs of each driver, instead of the scenario's."),
            OptionSpec(name: "--scale", value: "F", help: "Run with F times the records, such as 0.01."),
            OptionSpec(
                name: "--driver", value: "D", isRepeatable: true, completion: .driver,
                help: "Run this driver only; may be given several times."),
            OptionSpec(
                name: "--output", value: "PATH", completion: .file,
                help: "The CSV to write; Results/<scenario>-<UTC time>.csv otherwise."),
            OptionSpec(
                name: "--store-dir", value: "DIR", completion: .folder,
                help: "Where stores lie while they are measured; beside the output otherwise."),
            OptionSpec(name: "--force", help: "Replace existing results."),
            OptionSpec(name: "--quiet", help: "Show no progress."),
            OptionSpec(name: "--allow-debug", help: "Run although this is a debug build, whose times say nothing."),
            help,
        ],
        examples: [
            "bench run scenarios/million.json", "bench run smoke --repetitions 3 --driver sqlite",
            "bench run million --scale 0.01 --output quick.csv --force",
        ])

    static let list = CommandSpec(
        name: "list", summary: "List the scenarios of the working directory, and the drivers.", options: [help],
        examples: ["bench list"])

    static let validate = CommandSpec(
        name: "validate", summary: "Check scenario files without running them.", operand: "SCENARIO...",
        operandCount: 1...1_000, options: [help], examples: ["bench validate Scenarios/*.json"])

    static let completions = CommandSpec(
        name: "completions", summary: "Print a completion script for a shell.", operand: "bash|zsh|fish",
        operandCount: 1...1, options: [help], examples: ["source <(bench completions bash)"])

    /// What a run starts for each repetition.
    static let worker = CommandSpec(name: "__repetition", summary: "Run one repetition.", isHidden: true)
}
