import Testing

/// What the documentation shows is what compiles and runs here.
@Suite struct SnippetTests {
    @Test func everyBlockIsASnippet() throws {
        let known = Set(try Snippet.all().map(\.code))
        for path in try Pages.paths() {
            for block in try Block.all(in: path) where !known.contains(block.code) {
                Issue.record("\(block.place): no snippet in Tests/SnippetTests is this block:\n\(block.code)")
            }
        }
    }

    @Test func everySnippetIsShown() throws {
        let shown = Set(try Pages.paths().flatMap { try Block.all(in: $0) }.map(\.code))
        for snippet in try Snippet.all() where !shown.contains(snippet.code) {
            Issue.record("\(snippet.place): no text shows snippet.\(snippet.name):\n\(snippet.code)")
        }
    }

    @Test func noSnippetIsThereTwice() throws {
        let snippets = try Snippet.all()
        #expect(snippets.count > 20)
        #expect(Set(snippets.map(\.code)).count == snippets.count)
    }
}
