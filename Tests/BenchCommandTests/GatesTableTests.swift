import Foundation
import TestSupport
import Testing

/// The table of `bench ab` beside other tools, which `make gates` measures.
@Suite(.enabled(if: Python.isInstalled)) struct GatesTableTests {
    @Test func theDocumentationHasTheTableOfTheFile() throws {
        let script = Repository.url("Tests/gates/gates.py").path
        let file = Repository.url("Results/gate/gates.csv").path
        let outcome = try Script.run("/usr/bin/env", ["python3", script, "--file", file, "table"])
        #expect(outcome.code == 0 && outcome.output.split(separator: "\n").count > 6, "\(outcome)")
        let page = Repository.url("Sources/BenchHarness/BenchHarness.docc/ComparingCommands.md")
        #expect(try String(contentsOf: page, encoding: .utf8).contains(outcome.output), "\(outcome.output)")
    }
}
