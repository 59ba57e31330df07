/// The request of a whole command line.
enum Invocation {
    case help(String)
    case command(any Command.Type, Arguments)

    static func reading(_ words: [String]) throws -> Invocation {
        // `todo --store FILE list` is the same as `todo list --store FILE`.
        let leading = words.first == "--store" ? Array(words.prefix(2)) : []
        var rest = words.dropFirst(leading.count)
        guard let name = rest.popFirst() else {
            throw UsageError("a command is missing: \(commandNames.joined(separator: ", "))")
        }
        if isHelp(name) { return .help(Usage.overview) }
        guard let command = Todo.commands.first(where: { $0.usage.name == name }) else { throw unknown(name) }
        if rest.prefix(while: { $0 != "--" }).contains(where: isHelp) { return .help(command.usage.help) }
        return .command(command, try Arguments(leading + rest, for: command.usage))
    }

    private static var commandNames: [String] { Todo.commands.map { $0.usage.name } }

    private static func isHelp(_ word: String) -> Bool { ["--help", "-h"].contains(word) }

    private static func unknown(_ name: String) -> UsageError {
        let isOption = name.hasPrefix("-")
        return UsageError(
            unknown: isOption ? "option" : "command", name,
            known: isOption ? Usage.common.map(\.name) : commandNames, help: "todo --help")
    }
}
