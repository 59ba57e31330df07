/// An option of a subcommand, for parsing, help and completions alike.
struct OptionSpec: Sendable, Equatable {
    /// The completions that a shell offers for a value.
    enum Completion: Sendable, Equatable {
        case none
        case file
        case folder
        case driver
        /// A name of a scenario, or a file.
        case scenario
        case words([String])
        /// The beginning of a value, such as `duration=`.
        case beginnings([String])

        /// The cases of an enumeration.
        static func words<Choice: CaseIterable & RawRepresentable<String>>(of _: Choice.Type) -> Self {
            .words(Choice.allCases.map(\.rawValue))
        }
    }

    /// The name with its dashes.
    let name: String
    /// A short name with its dash; nil if there is none.
    var alias: String?
    /// The placeholder of the value in the help; nil for a switch.
    var value: String?
    var isRepeatable = false
    var completion = Completion.none
    let help: String

    /// All names, the short one first.
    var names: [String] { [alias, name].compactMap { $0 } }
}

/// A subcommand.
struct CommandSpec: Sendable {
    let name: String
    /// The summary in one line.
    let summary: String
    /// The placeholder of the operands in the help; nil if there are none.
    var operand: String?
    var operandCount: ClosedRange<Int> = 0...0
    var operandCompletion = OptionSpec.Completion.file
    var options: [OptionSpec] = []
    var examples: [String] = []
    /// What exit codes say of this command in particular; empty for one that does its work or fails.
    var exits: [ExitCode: String] = [:]
    /// Whether help and completions leave the subcommand out.
    var isHidden = false

    /// The option that every subcommand has.
    static let help = OptionSpec(name: "--help", alias: "-h", help: "Show this help.")
    /// The option of commands whose tables leave columns out on a narrow terminal.
    static let allColumns = OptionSpec(
        name: "--all", help: "Show all columns, even if the terminal is too narrow.")

    /// Every exit code that the command can have, with its meaning; empty where `exits` is.
    var exitCodes: [(code: ExitCode, meaning: String)] {
        if exits.isEmpty { return [] }
        let common: [ExitCode: String] = [
            .usage: "The command line or an input is invalid.", .failure: "The output could not be written.",
        ]
        let all = common.merging(exits) { $1 }
        return ExitCode.allCases.compactMap { code in all[code].map { (code, $0) } }
    }

    static let all = Subcommands.all.map { $0.spec }
    static let visible = all.filter { !$0.isHidden }
}
