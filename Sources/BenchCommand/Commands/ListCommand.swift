import BenchHarness
import Foundation

/// `bench list`: lists the scenarios and the drivers. An unreadable scenario is listed with the reason.
struct ListCommand: Subcommand {
    static let spec = CommandSpec(
        name: "list", summary: "List the scenarios and the drivers.",
        options: [CommandSpec.help], examples: ["bench list"])

    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    func run() -> ExitCode {
        let console = invocation.console
        console.out("scenarios:\n")
        let locator = ScenarioLocator(program: RunInputs.program)
        let own = (try? locator.list()) ?? []
        if own.isEmpty { console.text("  none in \(ScenarioLocator.folder)/ of the working directory\n") }
        for url in own { console.text(line(for: url)) }
        let names = Set(own.map(\.lastPathComponent))
        let shipped = (locator.shipped.flatMap { try? locator.list(in: $0.path) } ?? [])
            .filter { !names.contains($0.lastPathComponent) }
        if !shipped.isEmpty { console.out("\nscenarios that came with bench:\n") }
        for url in shipped { console.text(line(for: url)) }
        console.out("\ndrivers:\n")
        for driver in invocation.drivers {
            console.text("  \(driver.name): \(driver.summary)\n")
            for operation in driver.operations { console.text("    operation \(Self.line(for: operation))\n") }
        }
        return .success
    }

    private static func records(_ scenario: Scenario) -> String {
        scenario.allSizes.map(String.init).joined(separator: ", ")
    }

    private static func line(for operation: StoreOperation) -> String {
        let names = operation.parameters.map(\.name).joined(separator: ", ")
        return operation.name + (names.isEmpty ? "" : "(\(names))") + ": \(operation.summary)"
    }

    private func line(for url: URL) -> String {
        do throws(ScenarioErrors) {
            let scenario = try invocation.reader.read(contentsOf: url)
            let name = url.deletingPathExtension().lastPathComponent
            let variants = scenario.variants.map { ", \(Figure.count($0.count, "variant"))" } ?? ""
            var lines = ["\(name): \(Self.records(scenario)) records, \(scenario.repetitions) repetitions\(variants)"]
            if scenario.name != name { lines.append("  called \(scenario.name) in results") }
            if !scenario.summary.isEmpty { lines.append("  \(scenario.summary)") }
            lines.append("  phases: \(scenario.phases.map(\.name).joined(separator: ", "))")
            return lines.map { "  \($0)\n" }.joined()
        } catch {
            return error.lines.map { "  \($0)\n" }.joined()
        }
    }
}
