import Foundation
import Testing

/// The signatures that "Writing a driver" shows are those of the library.
@Suite struct DriverPartTests {
    private static let page = "Sources/BenchHarness/BenchHarness.docc/WritingADriver.md"

    @Test func theSignaturesOfPartsAreThoseOfTheSources() throws {
        let text = try Pages.files("Sources/DriverSupport").flatMap { try Pages.lines($0) }.joined(separator: " ")
        let sources = Self.withoutSpace(text)
        let rows = try Pages.lines(Self.page).filter { $0.hasPrefix("| `") && $0.contains(/\b(?:init|func)\b/) }
        let signatures = rows.flatMap { $0.matches(of: /`((?:init|func|var) ?[^`]*)`/).map { String($0.output.1) } }
        #expect(rows.count == 3 && signatures.count == 7)
        for signature in signatures {
            #expect(sources.contains("public" + Self.withoutSpace(signature)), "\(signature)")
        }
    }

    private static func withoutSpace(_ text: String) -> String { text.filter { !$0.isWhitespace } }
}
