import Foundation
import Testing

/// Promises.md names tests that there are, and the README counts them.
@Suite struct PromiseTests {
    private static let page = "Sources/ManagedStore/ManagedStore.docc/Promises.md"

    @Test func everyPromiseIsHeld() throws {
        let promises = try Promise.all(in: Self.page)
        #expect(promises.count > 50)
        for promise in promises {
            #expect(promise.isKept != promise.tests.isEmpty, "names no tests, or those of nothing: \(promise.text)")
            #expect(Set(promise.tests).count == promise.tests.count, "names a test twice: \(promise.text)")
        }
    }

    @Test func everyTestThatIsNamedExists() throws {
        let known = try Self.tests()
        let named = Set(try Promise.all(in: Self.page).flatMap(\.tests))
        #expect(named.subtracting(known).sorted() == [])
    }

    @Test func theReadmeCountsThem() throws {
        let kept = try Promise.all(in: Self.page).filter(\.isKept)
        let line = "\(kept.count) promises, \(Set(kept.flatMap(\.tests)).count) tests hold them"
        let isSaid = try Pages.lines("README.md").contains { $0.contains(line) }
        #expect(isSaid, "the README should say: \(line)")
    }

    /// Every test function as `Suite/function`, as the sources of the tests spell them.
    private static func tests() throws -> Set<String> {
        var tests: Set<String> = []
        for path in try Pages.files("Tests") where path.hasSuffix("Tests.swift") {
            var suite: Substring?
            var isTest = false
            for line in try Pages.lines(path) {
                if let name = line.firstMatch(of: /\b(?:struct|class) (\w+Tests)\b/)?.output.1 { suite = name }
                isTest = isTest || line.contains("@Test")
                guard isTest, let function = line.firstMatch(of: /\bfunc (\w+)/)?.output.1 else { continue }
                if let suite { tests.insert("\(suite)/\(function)") }
                isTest = false
            }
        }
        return tests
    }
}

/// An item of a list in Promises.md.
struct Promise {
    let text: String
    let tests: [String]
    let isKept: Bool

    private init(_ item: String) {
        let parts = item.components(separatedBy: " Held by ")
        text = parts[0]
        isKept = !item.hasPrefix("Not yet:")
        tests = parts.dropFirst().flatMap { $0.matches(of: /`(\w+\/\w+)`/).map { String($0.output.1) } }
    }

    static func all(in path: String) throws -> [Promise] {
        var items: [String] = []
        var isOpen = false
        for line in try Pages.lines(path) {
            if line.hasPrefix("- ") {
                items.append(String(line.dropFirst(2)))
                isOpen = true
            } else if isOpen, line.hasPrefix("  ") {
                items[items.count - 1] += " " + line.drop { $0 == " " }
            } else {
                isOpen = false
            }
        }
        return items.map { Promise($0) }
    }
}
