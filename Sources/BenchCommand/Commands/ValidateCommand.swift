import BenchHarness
import Foundation

/// `bench validate`: checks files and says of each whether it is valid.
struct ValidateCommand: Subcommand {
    static let spec = CommandSpec(
        name: "validate", summary: "Check scenario files without running them.", operand: "SCENARIO...",
        operandCount: 1...1_000, options: [CommandSpec.help], examples: ["bench validate Scenarios/*.json"])

    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    func run() -> ExitCode {
        var code = ExitCode.success
        for file in invocation.parsed.operands {
            do throws(ScenarioError) {
                let url = try ScenarioLocator().locate(file)
                guard try !ScenarioReader.isSchema(url) else {
                    invocation.console.note("bench: \(url.relativePath) is a JSON schema, no scenario; passed over\n")
                    continue
                }
                _ = try invocation.reader.read(contentsOf: url)
                invocation.console.out("\(url.relativePath): valid\n")
            } catch {
                invocation.console.error(error.description)
                code = .usage
            }
        }
        return code
    }
}
