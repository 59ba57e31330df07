import Foundation
import Testing

/// `bench list` through the binary.
@Suite(.ownThreads) struct ListCommandTests {
    /// Lists a folder with one scenario, in a file of this name.
    private func list(_ name: String, description: String) throws -> [Substring] {
        let bench = try BenchBinary()
        let scenarios = bench.folder.appending(path: "Scenarios")
        try FileManager.default.createDirectory(at: scenarios, withIntermediateDirectories: true)
        let tiny = try String(contentsOfFile: BenchBinary.tiny, encoding: .utf8)
        let json = tiny.replacing("Three phases over a thousand items.", with: description)
        try Data(json.utf8).write(to: scenarios.appending(path: name))
        let outcome = try bench.run("list")
        #expect(outcome.code == 0)
        return Array(
            outcome.output.split(separator: "\n").prefix { $0 != "scenarios that came with bench:" }.dropFirst())
    }

    @Test func aScenarioIsListedByTheNameThatRunTakes() throws {
        let lines = try list("copy.json", description: "A copy.")
        #expect(
            lines.prefix(3) == ["  copy: 1000 records, 1 repetitions", "    called tiny in results", "    A copy."])
    }

    @Test func aScenarioWithoutADescriptionHasNoEmptyLine() throws {
        let lines = try list("tiny.json", description: "")
        #expect(lines.count == 2 && lines.last?.hasPrefix("    phases: ") == true, "\(lines)")
    }
}
