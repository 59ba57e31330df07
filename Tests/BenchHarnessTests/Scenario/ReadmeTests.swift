import Foundation
import Testing

@testable import BenchHarness

@Suite("The README")
struct ReadmeTests {
    @Test("shows a scenario that can be read")
    func scenario() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let blocks = text.components(separatedBy: "```json\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        #expect(blocks.count == 1)
        for block in blocks {
            let scenario = try ScenarioReader().read(Data(block.utf8), file: "README.md")
            #expect(scenario.phases.map(\.mode) == ["perObject", "batch"])
        }
    }
}
