import Testing

/// Tests are named one way: the file after its suite, the function after the behaviour that it holds.
@Suite struct TestNamingTests {
    @Test func testsAreNamedOneWay() throws {
        for path in try Self.paths() {
            let problems = try Self.problems(path, Pages.code(path))
            #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
        }
    }

    /// Promises.md names a test by its suite and its function.
    @Test func noTwoSuitesHaveTheSameName() throws {
        let names = try Self.paths().filter { $0.hasSuffix("Tests.swift") }.map { $0.split(separator: "/").last }
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: [
        ("ItemTests", "@Suite struct ItemTests {\n@Test func anItemIsKept() {", true),
        ("ItemTests", "@Suite(.serialized) struct ItemTests {\n@Test(arguments: all)\nfunc anItemIsKept(", true),
        ("ItemTests", "struct ItemTests {\n@Test func anItemIsKept() {", false),
        ("ItemTests", "@Suite struct OtherTests {\n@Test func anItemIsKept() {", false),
        ("ItemTests", "@Suite(\"Items\") struct ItemTests {\n@Test func anItemIsKept() {", false),
        ("ItemTests", "@Suite struct ItemTests {\n@Test func items() {", false),
        ("ItemTests", "@Suite struct ItemTests {\n@Test(\"is kept\") func anItemIsKept() {", false),
        ("ItemTests", "@Suite struct ItemTests {\n@Test func an_item_is_kept() {", false),
        ("Items", "@Suite struct Items {\n@Test func anItemIsKept() {", false),
        ("Items", "struct Items {\nfunc kept() {", true),
    ])
    func theRuleTellsNames(_ name: String, _ text: String, _ isAccepted: Bool) {
        #expect(Self.problems("Tests/\(name).swift", SwiftCode.lines(of: text)).isEmpty == isAccepted)
    }

    private static func paths() throws -> [String] {
        try (Pages.swift("Tests") + Pages.swift("Peers/Tests")).filter { !Pages.isSnippet($0) }
    }

    /// What a file of tests is to be named otherwise; nothing in a file without tests.
    private static func problems(_ path: String, _ code: [Substring]) -> [String] {
        guard code.contains(where: { $0.contains("@Test") }) else { return [] }
        let suite = path.split(separator: "/").last?.dropLast(".swift".count) ?? ""
        var problems: [String] = []
        if !suite.hasSuffix("Tests") { problems.append("\(path) has tests, and no name that ends in Tests") }
        let declaresSuite = code.contains { $0.identifiers.suffix(2) == ["struct", suite] }
        if !declaresSuite || code.filter({ $0.contains("@Suite") }).count != 1 {
            problems.append("\(path) does not declare one suite, @Suite struct \(suite)")
        }
        var isTest = false
        for (index, line) in code.enumerated() {
            // A title leaves the spaces of its string.
            if line.contains("@Test( ") || line.contains("@Suite( ") {
                problems.append("\(path):\(index + 1) has a title; the name is to say it")
            }
            isTest = isTest || line.contains("@Test")
            guard isTest, let name = line.firstMatch(of: /\bfunc (\w+)/)?.output.1 else { continue }
            if name.wholeMatch(of: /[a-z][a-z0-9]*([A-Z0-9][A-Za-z0-9]*)+/) == nil {
                problems.append("\(path):\(index + 1) is not named after a behaviour: \(name)")
            }
            isTest = false
        }
        return problems
    }
}
