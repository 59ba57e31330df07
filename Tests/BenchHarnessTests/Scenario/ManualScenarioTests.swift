import Foundation
import TestSupport
import Testing

@testable import BenchHarness

/// The scenarios that the README and the manual show can be read.
@Suite struct ManualScenarioTests {
    private static let manual = "Sources/BenchHarness/BenchHarness.docc"

    /// The blocks of JSON that a page shows.
    private func blocks(_ path: String) throws -> [String] {
        let text = try String(contentsOf: Repository.url(path), encoding: .utf8)
        return text.components(separatedBy: "```json\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    @Test func theReadmeShowsTwoWaysToUpdate() throws {
        let blocks = try blocks("README.md")
        #expect(blocks.count == 1)
        let scenario = try ScenarioReader().read(Data(try #require(blocks.first).utf8), file: "README.md")
        #expect(scenario.phases.map(\.kind) == ["update", "update"])
    }

    @Test func theManualShowsAWholeScenarioAndRelatedRecords() throws {
        let blocks = try blocks("\(Self.manual)/WritingAScenario.md")
        let scenario = try ScenarioReader().read(Data(try #require(blocks.first).utf8), file: "inbox.json")
        #expect(scenario.phases.map(\.kind) == ["seed", "fetch", "update", "merge"])
        let phase = #"{ "name": "seed", "kind": "seed", "from": "empty" }"#
        let scenarios = try blocks[1...5].map { entity in
            try ScenarioFixture.read(
                #"{ "version": 3, "name": "owned", "records": 9, \#(entity), "phases": [\#(phase)] }"#
            )
        }
        #expect(scenarios[0].entity.attributes.map(\.nullShare) == [nil, nil, nil, 0.8])
        #expect(scenarios[1].entity.attributes[0].isIndexed && scenarios[2].entity.toOnes[0].inverse == "items")
        #expect(scenarios[3].entities.map(\.name) == ["Order", "Customer", "Line"])
        #expect(scenarios[4].entity.subentities?.map(\.name) == ["Song", "Film"])
    }

    /// The phases that the manual shows one at a time, in a scenario whose entity has the attributes that they name.
    @Test func theManualShowsPhasesThatFitAScenario() throws {
        let head = try #require(ScenarioFixture.valid.components(separatedBy: #""phases": ["#).first)
        let folder = try TemporaryDirectory()
        let file = try folder.write(Data(), to: "inbox.sqlite").path
        for phase in try blocks("\(Self.manual)/WritingAScenario.md").dropFirst(6) {
            let phase = phase.replacingOccurrences(of: "\"inbox.sqlite\"", with: "\"\(file)\"")
            _ = try ScenarioFixture.read(head + #""phases": ["# + phase + "]}")
        }
    }

    @Test func theManualShowsAnOperationOfADriver() throws {
        let blocks = try blocks("\(Self.manual)/WritingADriver.md")
        #expect(blocks.count == 1)
        let scenario = try ScenarioReader().read(Data(try #require(blocks.first).utf8), file: "archive.json")
        #expect(
            scenario.phases.map(\.kind) == ["custom", "custom"] && scenario.phases.map(\.mode) == ["counted", "timed"])
    }

    @Test func theManualShowsALoad() throws {
        let blocks = try blocks("\(Self.manual)/Load.md")
        #expect(blocks.count == 1)
        let head = try #require(ScenarioFixture.valid.components(separatedBy: #""phases": ["#).first)
        let scenario = try ScenarioFixture.read(head + #""phases": ["# + blocks[0] + "]}")
        #expect(scenario.phases.map(\.kind) == ["mixed"])
    }
}
