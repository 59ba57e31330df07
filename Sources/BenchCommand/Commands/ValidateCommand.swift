import BenchHarness
import Foundation

/// `bench validate`: checks files and reports for each whether it is valid.
struct ValidateCommand: Subcommand {
    static let spec = CommandSpec(
        name: "validate", summary: "Check scenario files without running them.", operand: "SCENARIO...",
        operandCount: 1...1_000, operandCompletion: .scenario, options: [CommandSpec.help],
        examples: ["bench validate Scenarios/*.json"])

    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    func run() -> ExitCode {
        var code = ExitCode.success
        for file in invocation.parsed.operands {
            let errors = errors(in: file)
            for error in errors { invocation.console.error(error) }
            if !errors.isEmpty { code = .usage }
        }
        return code
    }

    /// Returns the errors in a file; for a valid file, the output says so.
    private func errors(in file: String) -> [String] {
        do {
            let url = try ScenarioLocator().locate(file)
            return errors(at: url)
        } catch {
            return ["\(error)"]
        }
    }

    private func errors(at url: URL) -> [String] {
        do {
            _ = try invocation.reader.read(contentsOf: url)
            invocation.console.out("\(url.relativePath): valid\n")
            return []
        } catch {
            // Only a file that is no scenario is read again: a pipe would be empty then.
            guard (try? ScenarioReader.isSchema(url)) == true else { return error.lines }
            invocation.console.note("bench: \(url.relativePath) is a JSON schema, not a scenario; skipped\n")
            return []
        }
    }
}
