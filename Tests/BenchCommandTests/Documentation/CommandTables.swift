@testable import BenchCommand

/// The subcommands and their options as the article "Commands" lists them.
enum CommandTables {
    static var markdown: String { CommandSpec.visible.map(section).joined(separator: "\n\n") }

    private static func section(_ command: CommandSpec) -> String {
        let operand = command.operand.map { " " + $0 } ?? ""
        let lines =
            ["### bench \(command.name)", "", command.summary, "", "```console"]
            + ["$ bench \(command.name) [OPTIONS]\(operand)"] + command.examples.map { "$ \($0)" } + ["```"]
        return (lines + options(command) + exitCodes(command)).joined(separator: "\n")
    }

    private static func exitCodes(_ command: CommandSpec) -> [String] {
        guard !command.exitCodes.isEmpty else { return [] }
        return ["", "| exit code | |", "| ---: | --- |"]
            + command.exitCodes.map { "| \($0.code.rawValue) | \($0.meaning) |" }
    }

    /// Nothing where there is `--help` alone, which every subcommand has.
    private static func options(_ command: CommandSpec) -> [String] {
        let options = command.options.filter { $0 != CommandSpec.help }
        guard !options.isEmpty else { return [] }
        let rows = options.map { option in
            let names = option.names.map { "`\($0)\(option.value.map { " " + $0 } ?? "")`" }.joined(separator: ", ")
            return "| \(names) | \(option.help.replacing("|", with: "\\|")) |"
        }
        return ["", "| option | |", "| --- | --- |"] + rows
    }
}
