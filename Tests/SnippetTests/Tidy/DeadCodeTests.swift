import Testing

/// What the sources declare for themselves, they use.
@Suite struct DeadCodeTests {
    /// Names that no code of the sources mentions, and why they stay.
    private static let kept = [
        // The standard library's sets and dictionaries call it.
        "_rawHashValue"
    ]

    @Test func whatIsDeclaredIsUsed() throws {
        let files = try Pages.swift("Sources").map { ($0, try Pages.code($0)) }
        let unused = Self.unused(in: files)
        #expect(Set(Self.kept).subtracting(unused.map(\.name)).isEmpty, "kept without need")
        for declaration in unused where !Self.kept.contains(declaration.name) {
            Issue.record("\(declaration.place) declares \(declaration.name), which nothing in Sources uses")
        }
    }

    @Test func theRuleFindsWhatIsNotUsed() {
        let text = """
            public struct Box {
                private let size = 1
                public var name = ""
            }
            enum Kind { // unknown
                case known
                case unknown
            }
            func make() -> Box { print("make \\(Kind.known)"); return Box() }
            func measure() {}
            func measure(_ box: Box) {}
            """
        let unused = Self.unused(in: [("a.swift", SwiftCode.lines(of: text))])
        #expect(unused.map(\.name) == ["size", "unknown", "make", "measure", "measure"])
        #expect(unused.map(\.place) == ["a.swift:2", "a.swift:7", "a.swift:9", "a.swift:10", "a.swift:11"])
    }

    /// The declarations, but for public ones, whose names stand nowhere else than in declarations.
    private static func unused(in files: [(path: String, code: [Substring])]) -> [Declaration] {
        var words: [Substring: Int] = [:]
        var declarations: [Declaration] = []
        for (path, code) in files {
            for line in code { for word in line.identifiers { words[word, default: 0] += 1 } }
            declarations += Declaration.all(in: code, of: path)
        }
        let declared = Dictionary(grouping: declarations, by: \.name)
        return declarations.filter { words[$0.name[...]] == declared[$0.name]?.count && !$0.isPublic }
    }
}
