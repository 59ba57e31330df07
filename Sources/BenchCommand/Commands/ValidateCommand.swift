import BenchHarness
import Foundation

/// `bench validate`: checks files and reports for each whether it is valid.
struct ValidateCommand: Subcommand {
    static let spec = CommandSpec(
        name: "validate", summary: "Check scenario files without running them.", operand: "SCENARIO...",
        operandCount: 1...1_000, operandCompletion: .scenario,
        options: [
            OptionSpec(
                name: "--driver", value: "D", isRepeatable: true, completion: .driver,
                help: "Report the phases that this driver does not support; repeatable."),
            OptionSpec(
                name: "--convert", help: "Rewrite files of the format before this one, in place, and check them."),
            RunInputs.setSpec, CommandSpec.help,
        ],
        examples: [
            "bench validate Scenarios/*.json", "bench validate inbox --driver managed",
            "bench validate --convert mine.json",
        ],
        exits: [
            .success: "Every scenario is valid. What a driver does not support is named; bench run leaves it out.",
            .usage: "A scenario is not valid; each error names its place.",
        ])

    private let invocation: Invocation
    private let drivers: [any StoreDriver]
    private let settings: [ScenarioSetting]

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        settings = try RunInputs.settings(invocation.parsed)
        let names = invocation.parsed.all("--driver")
        for name in names where !invocation.drivers.contains(where: { $0.name == name }) {
            throw UsageError(ParsedArguments.unknown("driver", name, among: invocation.drivers.map(\.name)))
        }
        drivers = invocation.drivers.filter { names.contains($0.name) }
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

    /// Returns the errors in a file; for a valid file, the output says so, and names what the drivers do not support.
    private func errors(in file: String) -> [String] {
        do {
            let url = try ScenarioLocator(program: RunInputs.program).locate(file)
            if invocation.parsed.has("--convert") { try convert(url) }
            return errors(at: url)
        } catch let errors as ScenarioErrors {
            return errors.lines
        } catch {
            return ["\(error)"]
        }
    }

    private func convert(_ url: URL) throws {
        guard let text = try ScenarioConverter.convert(contentsOf: url) else { return }
        try text.write(to: url, options: .atomic)
        invocation.console.text("\(url.relativePath): rewritten as version \(ScenarioReader.version)\n")
    }

    private func errors(at url: URL) -> [String] {
        do {
            let scenario = try invocation.reader.read(contentsOf: url, settings: settings)
            let unsupported = drivers.flatMap { driver in
                scenario.phases.indices.compactMap { index in
                    scenario.reasonUnsupported(at: index, by: driver).map {
                        "\(url.relativePath): \(driver.name) does not support \(scenario.phases[index].name): \($0)"
                    }
                }
            }
            let variants = scenario.variants.map { ", with \(Figure.count($0.count, "variant"))" } ?? ""
            invocation.console.text("\(url.relativePath): valid\(variants)\n" + unsupported.map { $0 + "\n" }.joined())
            return []
        } catch {
            // Only a file that is no scenario is read again: a pipe would be empty then.
            guard (try? ScenarioReader.isSchema(url)) == true else { return error.lines }
            invocation.console.note("bench: \(url.relativePath) is a JSON schema, not a scenario; skipped\n")
            return []
        }
    }
}
