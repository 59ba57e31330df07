import Foundation
import TestSupport
import Testing

@testable import GateStudy

@Suite struct StudyTableTests {
    @Test func theDocumentationHasTheTableOfTheFile() throws {
        let file = Repository.url("Results/gate/study.csv")
        let table = StudyTable(records: try StudyLog(path: file.path).records()).text
        let page = Repository.url("Sources/BenchHarness/BenchHarness.docc/GateStudy.md")
        #expect(table.split(separator: "\n").count > 20)
        #expect(try String(contentsOf: page, encoding: .utf8).contains(table), "\(table)")
    }
}
