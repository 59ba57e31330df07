import Foundation
import TestSupport
import Testing

/// Each kind of name has one spelling. `swift format lint` holds the spelling of types and members.
@Suite struct NamingTests {
    /// Files that hold a few small types of one kind, after which they are named.
    private static let families = [
        "WrongFetches.swift", "WrongLoads.swift", "WrongSessions.swift", "LateReads.swift", "WrongReads.swift",
        "Cancellations.swift",
    ]

    @Test func filesAreNamedAfterTheirTypes() throws {
        for path in try Pages.swift("Sources") + Pages.swift("Tests") {
            let isFamily = Self.families.contains { path.hasSuffix("/\($0)") }
            guard !isFamily, !Pages.isSnippet(path) else { continue }
            #expect(Self.isNamedAfterItsType(path, try Pages.code(path)), "\(path) is not named after its type")
        }
    }

    @Test(arguments: [
        ("Item.swift", "struct Item {", true), ("Item.swift", "extension Box.Item {", true),
        ("Item+Line.swift", "extension [Item] {", true), ("Item.swift", "struct Items {", false),
        ("Item.swift", "let item: Item", false), ("ShowAll.swift", "func showAll() {}", true),
        ("ShowAll.swift", "extension Item { func showAll() {} }", false), ("main.swift", "print(1)", true),
    ])
    func aFileIsNamedAfterATypeOrAFunction(_ name: String, _ code: String, _ isAccepted: Bool) {
        #expect(Self.isNamedAfterItsType("Sources/\(name)", [code[...]]) == isAccepted)
    }

    @Test func articlesAndScenariosHaveNamesOfTheirKind() throws {
        for path in try Pages.files("Sources") where path.hasSuffix(".md") && path.contains(".docc/") {
            #expect(path.stem.wholeMatch(of: /([A-Z][a-z0-9]*)+/) != nil, "\(path)")
        }
        for path in try Pages.files("Scenarios") + Pages.files("Tests/BenchCommandTests/Fixtures") {
            #expect(path.stem.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(path)")
        }
    }

    @Test func optionsAreKebabCase() throws {
        let page = "Sources/BenchHarness/BenchHarness.docc/Commands.md"
        let options = try Pages.lines(page).flatMap { line in line.matches(of: /--([A-Za-z][\w-]*)/).map(\.output.1) }
        #expect(options.count > 50)
        for option in Set(options) where option.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) == nil {
            Issue.record("--\(option)")
        }
    }

    /// `_0` and its like are values that Swift names in published manifests.
    @Test func keysAndColumnsAreSnakeCase() throws {
        var keys = try Self.keysOfScenarios()
        for path in try Pages.files("Results") {
            if path.hasSuffix(".json") { keys.formUnion(try Self.json(path).allKeys.subtracting(["_0", "_1", "_2"])) }
            if path.hasSuffix(".csv"), let header = try Pages.lines(path).first {
                keys.formUnion(header.split(separator: ",").map(String.init))
            }
        }
        #expect(keys.isSuperset(of: ["duration_ns", "repetitions", "max_exponent"]), "\(keys.sorted())")
        for key in keys where key.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) == nil { Issue.record("\(key)") }
    }

    private static func isNamedAfterItsType(_ path: String, _ code: [Substring]) -> Bool {
        let name = path.stem.prefix { $0 != "+" }
        let types = code.map(\.identifiers).filter { !Declaration.types.union(["extension"]).isDisjoint(with: $0) }
        if types.contains(where: { $0.contains(name) }) { return true }
        guard types.isEmpty else { return false }
        let functions = Declaration.all(in: code, of: path).filter { $0.keyword == "func" }.map(\.name)
        return name == "main" || functions.contains { $0.prefix(1).uppercased() + $0.dropFirst() == name }
    }

    /// The keys that a scenario may have, by the schema.
    private static func keysOfScenarios() throws -> Set<String> {
        let objects = try json("Scenarios/schema.json").objects(under: "properties")
        return Set(objects.flatMap(\.keys)).subtracting(["$schema"])
    }

    private static func json(_ path: String) throws -> JSON {
        try JSONDecoder().decode(JSON.self, from: Data(contentsOf: Repository.url(path)))
    }
}

/// A document whose keys are looked at.
private enum JSON: Decodable {
    case object([String: JSON])
    case array([JSON])
    case value

    init(from decoder: any Decoder) throws {
        if let members = try? [String: JSON](from: decoder) {
            self = .object(members)
        } else if let elements = try? [JSON](from: decoder) {
            self = .array(elements)
        } else {
            self = .value
        }
    }

    private var children: [JSON] {
        switch self {
        case .object(let members): Array(members.values)
        case .array(let elements): elements
        case .value: []
        }
    }

    private var members: [String: JSON] {
        if case .object(let members) = self { members } else { [:] }
    }

    var allKeys: Set<String> { children.reduce(into: Set(members.keys)) { $0.formUnion($1.allKeys) } }

    /// The members of each object that is the value of `key`, here or below.
    func objects(under key: String) -> [[String: JSON]] {
        [members[key]?.members].compactMap { $0 } + children.flatMap { $0.objects(under: key) }
    }
}

extension String {
    /// The name of the file at the path, without what follows the first period.
    fileprivate var stem: String {
        String((split(separator: "/").last ?? "").prefix { $0 != "." })
    }
}
