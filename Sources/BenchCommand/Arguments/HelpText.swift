/// The help, generated from the table that also drives the parser.
enum HelpText {
    /// The output of `bench --help`.
    static var overview: String {
        let width = CommandSpec.visible.map(\.name.count).max() ?? 0
        let commands = CommandSpec.visible.map { "  \(padded($0.name, width))  \($0.summary)" }
        return """
            Benchmarks object stores: runs a scenario against each driver, checks the result, and writes a CSV.

            usage: bench COMMAND [OPTIONS]

            commands:
            \(commands.joined(separator: "\n"))

            options:
              -h, --help     Show this help; bench COMMAND --help describes a command.
                  --version  Show the version.

            exit codes: 0 success, 1 regression, 2 usage or invalid input, 3 a phase failed or output could not
            be written, 4 insufficient data, 130 interrupted

            """
    }

    /// Returns the output of `bench COMMAND --help`.
    static func text(for spec: CommandSpec) -> String {
        let operand = spec.operand.map { " " + $0 } ?? ""
        let names = spec.options.map { option in
            // Long names are aligned, with or without a short one.
            (option.alias.map { $0 + ", " } ?? "    ") + option.name + (option.value.map { " " + $0 } ?? "")
        }
        let width = names.map(\.count).max() ?? 0
        let options = zip(names, spec.options).map { "  \(padded($0, width))  \($1.help)" }
        return """
            \(spec.summary)

            usage: bench \(spec.name) [OPTIONS]\(operand)

            options:
            \(options.joined(separator: "\n"))

            examples:
            \(spec.examples.map { "  " + $0 }.joined(separator: "\n"))

            """
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }
}
