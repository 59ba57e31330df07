import Foundation
import Testing

@testable import BenchHarness

/// The scenarios in the repository's own folder.
struct ShippedScenarioTests {
    private let locator = ScenarioLocator(workingDirectory: ScenarioFixture.folder.deletingLastPathComponent())

    @Test func allAreListedAndValidAndNamedLikeTheirFiles() throws {
        let urls = try locator.list()
        #expect(urls.map(\.lastPathComponent) == ["hundred-thousand.json", "million.json", "smoke.json"])
        for url in urls {
            let scenario = try ScenarioReader().read(contentsOf: url)
            #expect(scenario.name == url.deletingPathExtension().lastPathComponent)
        }
    }

    @Test(arguments: [0.0001, 0.001, 0.01, 0.5, 3])
    func scalingKeepsThemPossible(_ factor: Double) throws {
        for url in try locator.list() {
            let scenario = try ScenarioReader().read(contentsOf: url).scaled(by: factor)
            #expect(scenario.records >= 1)
            for phase in scenario.phases {
                guard case .merge(let work) = phase.work else { continue }
                #expect(work.recordsNeeded <= scenario.records && work.saves >= 1)
                _ = MergePlan.make(work: work, records: scenario.records, seed: 1)
            }
        }
    }

    @Test(arguments: [
        "Scenarios/million.json", "scenarios/million.json", "SCENARIOS/Million.JSON", "million", "million.json",
        "./scenarios/million.json",
    ])
    func aScenarioIsFoundHoweverItIsSpelled(_ argument: String) throws {
        let url = try locator.locate(argument)
        #expect(url.standardizedFileURL.path.hasSuffix("/Scenarios/million.json"))
    }

    @Test func whatIsNotThereIsAnsweredWithTheNearestName() {
        let error = #expect(throws: ScenarioError.self) { try locator.locate("scenarios/milion.json") }
        #expect(error?.suggestion == "million")
        let directory = #expect(throws: ScenarioError.self) { try locator.locate("scenarios") }
        #expect(directory?.found == "a directory")
        #expect(throws: ScenarioError.self) { try locator.locate("") }
        #expect(throws: ScenarioError.self) { try locator.locate("/") }
    }
}
