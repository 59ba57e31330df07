import BenchHarness
import Foundation

/// `bench init`: writes a small scenario to begin with.
struct InitCommand: Subcommand {
    static let spec = CommandSpec(
        name: "init", summary: "Write a small, commented scenario to start from.", operand: "NAME",
        operandCount: 1...1,
        options: [OptionSpec(name: "--force", help: "Replace an existing scenario."), CommandSpec.help],
        examples: ["bench init inbox"])

    private let console: Console
    private let name: String
    private let url: URL
    private let replaces: Bool

    init(_ invocation: Invocation) throws {
        console = invocation.console
        replaces = invocation.parsed.has("--force")
        let operand = invocation.parsed.operands[0]
        name = operand.hasSuffix(".json") ? String(operand.dropLast(5)) : operand
        let scenario = Data(StarterScenario.text(named: name).utf8)
        do {
            _ = try invocation.reader.read(scenario, file: name)
        } catch {
            // Nothing but the name can be wrong with it.
            throw UsageError(
                "\"\(name)\" cannot be the name of a scenario; expected letters, digits, \".\", \"_\" and \"-\"")
        }
        url = URL(fileURLWithPath: "\(ScenarioLocator.folder)/\(name).json")
        if FileManager.default.fileExists(atPath: url.path), !replaces {
            throw UsageError("\(url.relativePath) exists; --force replaces it")
        }
    }

    func run() throws -> ExitCode {
        try OutputFile.write(StarterScenario.text(named: name), to: url, createsFolder: true)
        console.text(
            """
            Wrote \(url.relativePath). Next:
              bench validate \(name)
              bench run \(name) --scale 0.1 --repetitions 1

            """)
        return .success
    }
}
