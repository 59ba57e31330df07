import BenchHarness

/// Completion scripts for shells, made from the table of commands and options.
enum Completions {
    static let shells = ["bash", "zsh", "fish"]

    static func script(for shell: String, _ drivers: [String]) throws(UsageError) -> String {
        switch shell {
        case "bash": return bash(drivers)
        case "zsh": return "autoload -U +X bashcompinit && bashcompinit\n" + bash(drivers)
        case "fish": return fish(drivers)
        default: throw UsageError(ParsedArguments.unknown("shell", shell, among: shells))
        }
    }

    private static func bash(_ drivers: [String]) -> String {
        let cases = CommandSpec.visible.map { spec in
            "        \(spec.name)) words=\"\(words(spec))\" ;;"
        }
        let values = CommandSpec.visible.flatMap { spec in
            spec.options.compactMap { option in
                choices(option.completion, drivers).map { choices in
                    // A value follows without a space. Outside a completion, and in zsh, there is no compopt.
                    let isPart = if case .beginnings = option.completion { true } else { false }
                    return
                        "        \"\(spec.name) \(option.name)\") \(isPart ? "compopt -o nospace 2>/dev/null; " : "")"
                        + "COMPREPLY=($(compgen -W \"\(choices)\" -- \"$word\")); return ;;"
                }
            }
        }
        return """
            _bench() {
                local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words
                if [ "$COMP_CWORD" -eq 1 ]; then
                    COMPREPLY=($(compgen -W "\(CommandSpec.visible.map(\.name).joined(separator: " "))" -- "$word"))
                    return
                fi
                case "${COMP_WORDS[1]} $before" in
            \(values.joined(separator: "\n"))
                esac
                case "${COMP_WORDS[1]}" in
            \(cases.joined(separator: "\n"))
                esac
                COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word"))
            }
            complete -o filenames -F _bench bench

            """
    }

    /// Lists the scenarios of the working directory when the shell completes: the names that ``ScenarioLocator`` finds.
    private static let listingScenarios = """
        ls \(ScenarioLocator.folder) 2>/dev/null | sed -n '/^schema.json$/!s/[.]json$//p'
        """

    /// Returns the possible values, if they are known, for double quotes in bash.
    private static func choices(_ completion: OptionSpec.Completion, _ drivers: [String]) -> String? {
        switch completion {
        case .driver: drivers.joined(separator: " ")
        case .words(let words), .beginnings(let words): words.joined(separator: " ")
        case .scenario: "$(\(listingScenarios))"
        case .none, .file, .folder: nil
        }
    }

    private static func words(_ spec: CommandSpec) -> String {
        ([choices(spec.operandCompletion, [])].compactMap { $0 } + spec.options.flatMap(\.names))
            .joined(separator: " ")
    }

    private static func fish(_ drivers: [String]) -> String {
        var lines: [String] = []
        for spec in CommandSpec.visible {
            lines.append("complete -c bench -n __fish_use_subcommand -a \(spec.name) -d '\(quoted(spec.summary))'")
            lines += fishOperands(spec).map {
                "complete -c bench -n '__fish_seen_subcommand_from \(spec.name)' -a \($0)"
            }
            for option in spec.options {
                lines.append(
                    "complete -c bench -n '__fish_seen_subcommand_from \(spec.name)'" + fishNames(option)
                        + fishValue(option, drivers) + " -d '\(quoted(option.help))'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the operands that fish offers beside files, as an argument.
    private static func fishOperands(_ spec: CommandSpec) -> [String] {
        switch spec.operandCompletion {
        case .scenario: ["\"(\(listingScenarios.replacing("$/", with: "\\$/")))\""]
        case .words(let words): ["'\(words.joined(separator: " "))'"]
        default: []
        }
    }

    private static func fishNames(_ option: OptionSpec) -> String {
        (option.alias.map { " -s \($0.dropFirst())" } ?? "") + " -l \(option.name.dropFirst(2))"
    }

    private static func fishValue(_ option: OptionSpec, _ drivers: [String]) -> String {
        if option.value == nil { return "" }
        if let choices = choices(option.completion, drivers) { return " -xa '\(choices)'" }
        return option.completion == .none ? " -x" : " -r"
    }

    /// Returns text for single quotes, in which fish requires a backslash before another quote.
    private static func quoted(_ text: String) -> String {
        text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'")
    }
}
