/// `bench completions`.
struct CompletionsCommand: Subcommand {
    static let spec = CommandSpec(
        name: "completions", summary: "Print a completion script for a shell.", operand: "bash|zsh|fish",
        operandCount: 1...1, operandCompletion: .words(Completions.shells), options: [CommandSpec.help],
        examples: ["source <(bench completions bash)"])

    private let console: Console
    private let script: String

    init(_ invocation: Invocation) throws {
        console = invocation.console
        script = try Completions.script(for: invocation.parsed.operands[0], invocation.drivers.map(\.name))
    }

    func run() -> ExitCode {
        console.out(script)
        return .success
    }
}
