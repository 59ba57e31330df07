import Foundation
import TestSupport
import Testing

/// The page of shortcuts lists every cheating driver with the reason for which it fails. Each test may renew its part
/// of the page, so one runs after another.
@Suite(.serialized) struct CheatPageTests {
    private static let page = "Sources/BenchHarness/BenchHarness.docc/Cheats.md"

    @Test func theTableOfReadsListsEveryCheat() throws {
        try expect("reading", ReadingCheat.all.map { (name: $0.name, reason: $0.reason) })
    }

    @Test func theTableOfWritesListsEveryCheatOutsideLoads() throws {
        let loaded = Set(WritingCheat.loaded.map(\.name))
        let writing = WritingCheat.all.filter { !loaded.contains($0.name) }
        try expect("writing", writing.map { (name: $0.name, reason: $0.reason) })
    }

    @Test func theTableOfLoadsListsEveryCheat() throws {
        try expect("loading", WritingCheat.loaded.map { (name: $0.name, reason: $0.reason) })
    }

    private func expect(_ section: String, _ cheats: [(name: String, reason: String)]) throws {
        let rows = cheats.map { "| \($0.name) | `\($0.reason.trimmingPrefix(" "))` |" }
        let table = ["| a driver that | the failure says |", "| --- | --- |"] + rows
        let part = GeneratedSection(section, of: Self.page)
        #expect(try part.discrepancy(from: table.joined(separator: "\n")) == nil)
    }

    /// Two rows that look alike would be one row for a reader.
    @Test func cheatsHaveDifferentNames() {
        let names = ReadingCheat.all.map(\.name) + WritingCheat.all.map(\.name)
        #expect(Set(names).count == names.count)
    }

    /// A session that cheats and that no driver uses would be neither tested nor listed.
    @Test func everySessionThatCheatsIsUsed() throws {
        let folder = "Tests/BenchDriversTests/Conformance/Cheats"
        let files = try FileManager.default.contentsOfDirectory(atPath: Repository.url(folder).path)
        let text = try files.filter { $0.contains("Cheat") }
            .map { try String(contentsOf: Repository.url("\(folder)/\($0)"), encoding: .utf8) }.joined()
        for file in files {
            let source = try String(contentsOf: Repository.url("\(folder)/\(file)"), encoding: .utf8)
            for session in source.matches(of: /final class (\w+): ForwardingSession/) {
                #expect(text.contains("\(session.1)("), "\(session.1)")
            }
        }
    }
}
