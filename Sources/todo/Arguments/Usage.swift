/// The syntax of a subcommand. Its help text and the parsing of its arguments derive from this.
struct Usage: Sendable {
    struct Option: Sendable {
        let name: String
        /// The name of the option's value; nil for a switch.
        var value: String?
        let help: String

        var synopsis: String { value.map { "\(name) \($0)" } ?? name }
    }

    let name: String
    var operands = ""
    let summary: String
    var details = ""
    var options: [Option] = []

    /// The options of every subcommand.
    static let common = [
        Option(name: "--store", value: "FILE", help: "the file that the list is kept in"),
        Option(name: "--help", help: "shows this"),
    ]

    var allOptions: [Option] { options + Self.common }

    var synopsis: String {
        let options = options.map { " [\($0.synopsis)]" }.joined()
        return "todo \(name)\(options)\(operands.isEmpty ? "" : " \(operands)")"
    }

    var help: String {
        let options = table(allOptions.map { ($0.synopsis, $0.help) })
        return
            "todo \(name): \(summary)\n\nusage: \(synopsis)\n\(details.isEmpty ? "" : "\n\(details)\n")\noptions:\n\(options)"
    }

    static var overview: String {
        let commands = Todo.commands.map { ($0.usage.name, $0.usage.summary) }
        return """
            A to-do list in the terminal.

            usage: todo COMMAND [ARGUMENT...]

            commands (todo COMMAND --help tells more):
            \(table(commands))
            An item's number is the key that the store gave it: it stays the same for good, and no other item ever gets it.
            The list is kept in --store FILE, else in $TODO_STORE, else in $XDG_DATA_HOME/todo/todo.sqlite, else in
            ~/.local/share/todo/todo.sqlite.

            exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted

            """
    }
}

/// Formats rows as two columns.
private func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \($0)\(String(repeating: " ", count: width - $0.count + 2))\($1)\n" }.joined()
}
