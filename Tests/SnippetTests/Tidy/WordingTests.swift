import Testing

/// Texts name who acts: a context, a process, a reader.
@Suite struct WordingTests {
    /// Put together, so that this file passes.
    private static let pronouns =
        ["some", "any", "no", "every"].flatMap { ["\($0)body", "\($0)one"] } + [
            "who" + "ever", "what" + "ever",
        ]

    @Test func noTextActsThroughAnUnknownPerson() throws {
        let folders = try ["Sources", "Tests", "Peers/Sources", "Peers/Tests"].flatMap(Pages.files)
        let pages = try folders.filter { $0.contains(/\.(swift|md|py|c|h)$/) } + Pages.files(".ci")
        for path in ["README.md", "CONTRIBUTING.md", "Makefile", "action.yml", "Scenarios/schema.json"] + pages {
            let problems = try Self.problems(path, Pages.lines(path))
            #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
        }
    }

    @Test func theRuleLooksIntoNamesToo() {
        let word = Self.pronouns[0]
        #expect(Self.problems("a.swift", ["", "func heldBy\(word.capitalized)Else() {"]).count == 1)
        #expect(Self.problems("a.swift", ["func heldByAnother() {"]).isEmpty)
    }

    private static func problems(_ path: String, _ lines: [Substring]) -> [String] {
        lines.enumerated().compactMap { index, line in
            let text = line.lowercased()
            return pronouns.contains(where: text.contains) ? "\(path):\(index + 1): \(line)" : nil
        }
    }
}
