import Foundation
import Testing

@testable import BenchHarness

@Suite("The README")
struct ReadmeTests {
    private func blocks() throws -> [String] {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        return text.components(separatedBy: "```json\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    @Test("shows a scenario that can be read")
    func scenario() throws {
        let scenario = try ScenarioReader().read(Data(try #require(blocks().first).utf8), file: "README.md")
        #expect(scenario.phases.map(\.mode) == ["per_object", "batch"])
    }

    @Test("shows an entity with an owner that can be read")
    func owner() throws {
        let phase = #"{ "name": "seed", "kind": "seed", "from": "empty" }"#
        let json = #"{ "version": 2, "name": "owned", "records": 9, \#(try blocks()[1]), "phases": [\#(phase)] }"#
        #expect(try ScenarioFixture.read(json).entity.owner?.inverse == "items")
    }

    @Test("shows a load that can be read, as a phase of a scenario")
    func load() throws {
        let blocks = try blocks()
        #expect(blocks.count == 3)
        let head = try #require(ScenarioFixture.valid.components(separatedBy: #""phases": ["#).first)
        let scenario = try ScenarioFixture.read(head + #""phases": ["# + blocks[2] + "]}")
        #expect(scenario.phases.map(\.kind) == ["mixed"])
    }
}
