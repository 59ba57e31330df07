import BenchHarness

/// The help, generated from the table that also drives the parser.
struct HelpText {
    /// What a program without arguments answers.
    static let beginning = """
        bench: error: no command; to begin with:
          bench run smoke           measure the drivers with a small scenario
          bench describe my.sqlite  write a scenario with records like those of a file
          bench help                list all commands; bench help COMMAND describes one

        """

    private let width: Int
    /// The widest name that has what it means beside it.
    private var mostForNames: Int { width * 3 / 10 }

    /// Prepares help for a terminal, which is no wider than 80 columns however wide that is; nil if it is unknown.
    init(width: Int?) {
        self.width = min(width ?? 80, 80)
    }

    /// The output of `bench --help`.
    var overview: String {
        """
        \(prose("Benchmarks object stores: runs a scenario against each driver, checks the result, and writes a CSV."))

        usage: bench COMMAND [OPTIONS]

        commands:
        \(list(CommandSpec.visible.map { ($0.name, $0.summary) }))

        options:
        \(list([
            ("-h, --help", "Show this help; bench COMMAND --help describes a command."),
            ("    --version", "Show the version."),
        ]))

        \(prose("""
            output: a terminal shows the columns of a table that fit, and names the others. A file or a pipe gets all \
            columns, and each message in one line. COLUMNS=N sets the width for both.
            """))

        \(prose("""
            exit codes: 0 success, 1 regression, 2 usage or invalid input, 3 a phase failed or output could not be \
            written, 4 insufficient data, 130 interrupted
            """))

        """
    }

    /// Returns the output of `bench COMMAND --help`.
    func text(for spec: CommandSpec) -> String {
        let options = spec.options.map { option in
            // Long names are aligned, with or without a short one.
            let name = (option.alias.map { $0 + ", " } ?? "    ") + option.name
            return (name + (option.value.map { " " + $0 } ?? ""), option.help)
        }
        return """
            \(prose(spec.summary))

            usage: bench \(spec.name) [OPTIONS]\(spec.operand.map { " " + $0 } ?? "")

            options:
            \(list(options))
            \(exitCodes(of: spec))
            examples:
            \(spec.examples.map(example).joined(separator: "\n"))

            """
    }

    private func exitCodes(of spec: CommandSpec) -> String {
        let codes = spec.exitCodes.map { ("\($0.code.rawValue)", $0.meaning) }
        return codes.isEmpty ? "" : "\nexit codes:\n\(list(codes))\n"
    }

    private func prose(_ text: String) -> String { text.wrapped(to: width, hanging: 0) }

    /// Returns names with what they mean beside them; below a name that is too long.
    private func list(_ entries: [(name: String, help: String)]) -> String {
        let column = min(entries.map(\.name.count).max() ?? 0, mostForNames)
        let indent = String(repeating: " ", count: column + 4)
        return entries.map { name, help in
            let lines = help.wrapped(to: width - indent.count, hanging: 0).split(separator: "\n").map { indent + $0 }
            guard name.count <= column else { return (["  " + name] + lines).joined(separator: "\n") }
            return "  " + name + lines.joined(separator: "\n").dropFirst(2 + name.count)
        }.joined(separator: "\n")
    }

    /// Returns a command, in several lines of a shell if it is too long, each of which begins with an option.
    private func example(_ command: String) -> String {
        guard command.count + 2 > width else { return "  " + command }
        var lines: [String] = []
        for (place, part) in command.split(separator: " --").enumerated() {
            let part = place == 0 ? String(part) : "--" + part
            if let last = lines.last, last.count + part.count + 7 <= width {
                lines[lines.count - 1] = last + " " + part
            } else {
                lines.append(part)
            }
        }
        return "  " + lines.joined(separator: " \\\n    ")
    }
}
