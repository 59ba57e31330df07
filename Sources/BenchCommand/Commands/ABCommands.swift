import BenchHarness
import Foundation

/// The options of `bench ab` for two commands, which take turns instead of the phases of a scenario.
struct ABCommands {
    static let specs = [
        OptionSpec(
            name: "--base-command", value: "COMMAND",
            help: "The old command, with its arguments: any program. Quotes and backslashes are read as a shell does."),
        OptionSpec(name: "--new-command", value: "COMMAND", help: "The new command, which is judged."),
        OptionSpec(name: "--shell", help: "Have sh run both commands, with pipes, redirections and variables."),
        OptionSpec(
            name: "--same-output", help: "Require that both commands write the same to standard output."),
        OptionSpec(
            name: "--name", value: "NAME", help: "What results call the comparison of two commands; default: command."),
    ]

    /// What belongs to scenarios alone.
    private static let others = [
        "--base", "--new", "--base-driver", "--new-driver", "--driver", "--phase", "--quads", "--scale", "--set",
        "--cache-kib", "--store",
    ]

    /// Returns whether a command line names commands, and checks that it then names two, and no scenario.
    static func areMeant(_ parsed: ParsedArguments) throws(UsageError) -> Bool {
        let given = ["--base-command", "--new-command"].filter { parsed.has($0) }
        guard !given.isEmpty else {
            if let option = ["--shell", "--same-output", "--name"].first(where: parsed.has) {
                throw UsageError("\(option) belongs to commands: give --base-command and --new-command")
            }
            return false
        }
        guard given.count == 2 else {
            throw UsageError("--base-command and --new-command belong together; give both")
        }
        if let scenario = parsed.operands.first {
            throw UsageError("\(scenario): two commands take no scenario; leave it out")
        }
        if let option = others.first(where: parsed.has) {
            throw UsageError("\(option) belongs to scenarios, and two commands have none; leave it out")
        }
        return true
    }

    /// Returns the request of a command line that names two commands.
    static func request(_ invocation: Invocation) throws(UsageError) -> PairedRequest {
        let parsed = invocation.parsed
        let (base, new) = (try program("--base-command", parsed), try program("--new-command", parsed))
        let commands = PairedCommands(
            name: try name(parsed), comparesOutput: parsed.has("--same-output"))
        return PairedRequest(
            commands: commands, contest: PairedRequest.Contest(base: base.name, new: new.name), base: base.program,
            new: new.program, commandLine: invocation.commandLine.map(StoreAddress.redacted))
    }

    /// Refuses metrics that nothing tells of a command.
    static func checkMetrics(_ names: Set<String>) throws(UsageError) {
        let known = PairedCommands.metrics.map(\.name)
        guard let name = names.subtracting(known).min() else { return }
        throw UsageError("--metric \(name): a command has none; expected one of \(known.joined(separator: ", "))")
    }

    private static let plain = Set("0123456789-_. ".unicodeScalars)

    private static func name(_ parsed: ParsedArguments) throws(UsageError) -> String {
        guard let name = parsed.value("--name") else { return PairedCommands().name }
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || plain.contains($0) }
        guard !name.isEmpty, isPlain, name.count <= 64 else {
            throw UsageError("--name \(name): expected up to 64 letters, digits, spaces and the characters - _ .")
        }
        return name
    }

    private static func program(
        _ option: String, _ parsed: ParsedArguments
    ) throws(UsageError) -> (program: PairedRequest.Program, name: String) {
        let text = parsed.value(option) ?? ""
        if parsed.has("--shell") {
            let first = text.split(whereSeparator: \.isWhitespace).first.map(String.init)
            guard let first else { throw UsageError("\(option): expected a command, such as './after input'") }
            return (
                PairedRequest.Program(title: text, command: ["/bin/sh", "-c", text]), baseName(first)
            )
        }
        let words = try words(option, text)
        let path = try path(option, words[0])
        return (PairedRequest.Program(title: text, command: [path] + words[1...]), baseName(words[0]))
    }

    private static func words(_ option: String, _ text: String) throws(UsageError) -> [String] {
        let words: [String]
        do throws(ShellWords.Problem) {
            words = try ShellWords(text).words
        } catch {
            switch error {
            case .unclosed(let quote): throw UsageError("\(option) \(text): the last \(quote) has no end")
            case .operation(let character):
                throw UsageError(
                    "\(option) \(text): only a shell knows what \(character) means; give --shell, or quote it")
            }
        }
        guard let first = words.first, !first.isEmpty else {
            throw UsageError("\(option): expected a command, such as './after input'")
        }
        return words
    }

    /// Returns the path of a program: a name without a slash is searched for in `PATH`.
    private static func path(_ option: String, _ name: String) throws(UsageError) -> String {
        if name.contains("/") { return try RunInputs.program(name, of: option).path }
        if let program = SearchPath(ProcessInfo.processInfo.environment["PATH"]).program(name) { return program.path }
        let here = SearchPath.isProgram(URL(fileURLWithPath: name)) ? "; did you mean ./\(name)?" : ""
        throw UsageError("\(option) \(name): there is no such program in PATH\(here)")
    }

    private static func baseName(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }
}
