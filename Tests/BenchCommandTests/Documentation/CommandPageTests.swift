import TestSupport
import Testing

@testable import BenchCommand

@Suite struct CommandPageTests {
    @Test func theListOfCommandsIsThatOfTheHelp() throws {
        let section = GeneratedSection("commands", of: "Sources/BenchHarness/BenchHarness.docc/Commands.md")
        #expect(try section.discrepancy(from: CommandTables.markdown) == nil)
    }
}
