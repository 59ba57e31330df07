/// An option of a subcommand. Parsing, help and completions all come from this.
struct OptionSpec: Sendable, Equatable {
    /// What a shell may complete a value with.
    enum Completion: Sendable, Equatable {
        case none
        case file
        case folder
        case driver
        case words([String])

        /// The cases of an enumeration.
        static func words<Choice: CaseIterable & RawRepresentable<String>>(of _: Choice.Type) -> Self {
            .words(Choice.allCases.map(\.rawValue))
        }
    }

    /// With its dashes.
    let name: String
    /// A short way to type it, with its dash; nil when there is none.
    var alias: String?
    /// What stands for the value in the help; nil for a switch.
    var value: String?
    var isRepeatable = false
    var completion = Completion.none
    let help: String

    /// All that it can be typed as, the short way first.
    var names: [String] { [alias, name].compactMap { $0 } }
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

    /// What every subcommand has.
    static let help = OptionSpec(name: "--help", alias: "-h", help: "Show this help.")

    static let all = Subcommands.all.map { $0.spec }
    static let visible = all.filter { !$0.isHidden }
}
