import Foundation
import Testing

/// What keeps the sources in order, held by reading them.
@Suite struct TidyTests {
    /// Which of our modules a module may import.
    private static let imports: [String: Set<String>] = [
        "Locking": [], "Processes": [], "ManagedStore": ["CPostgres", "CSQLite", "CSystem", "Locking"],
        "BenchHarness": ["CAllocations", "CSystem", "Locking", "Processes"],
        "BenchInstructions": ["BenchHarness", "CSystem", "Locking"],
        "BenchPower": ["BenchHarness", "Locking"], "BenchReport": ["BenchHarness"],
        "DriverSupport": ["BenchHarness", "Locking"],
        "BenchDrivers": [
            "BenchHarness", "CCountingVFS", "CPostgres", "CSQLite", "DriverSupport", "Locking", "ManagedStore",
        ],
        "BenchCommand": [
            "BenchHarness", "BenchInstructions", "BenchPower", "BenchReport", "Locking", "Processes",
        ],
        "DriverConformance": ["BenchHarness"],
        "bench": ["BenchCommand", "BenchDrivers"], "todo": ["ManagedStore"],
    ]
    private static let modules = Set(imports.keys).union([
        "CAllocations", "CCountingVFS", "CPostgres", "CSQLite", "CSystem",
    ])

    @Test func importsGoInOneDirection() throws {
        for path in try sources() {
            let module = String(path.split(separator: "/")[1])
            let imported = try Pages.lines(path).compactMap(Self.importedModule)
            let allowed = try #require(Self.imports[module], "a module that no rule is known for: \(path)")
            #expect(Set(imported).intersection(Self.modules).subtracting(allowed).isEmpty, "\(path)")
            #expect(Set(imported).count == imported.count, "imports a module twice: \(path)")
        }
    }

    @Test(arguments: [
        "import CSQLite", "    import CSQLite", "@preconcurrency import CSQLite",
        "@_spi(Tests) internal import CSQLite", "public import struct CSQLite.Row",
    ])
    func anImportIsFoundInAnyForm(_ line: String) {
        #expect(Self.importedModule(line[...]) == "CSQLite")
    }

    private static func importedModule(_ line: Substring) -> String? {
        let form = /^ *(?:@\S+ )*(?:[a-z]+ )?import (?:[a-z]+ )?(\w+)/
        return line.firstMatch(of: form).map { String($0.output.1) }
    }

    /// Nothing but the stores that speak SQL knows that there is any, and nothing but a database's own store knows its
    /// library.
    @Test func onlyStoresOfSQLKnowSQL() throws {
        for path in try sources() where path.hasPrefix("Sources/ManagedStore/") {
            if path.hasPrefix("Sources/ManagedStore/SQLite/") { continue }
            let isServers = path.hasPrefix("Sources/ManagedStore/PostgreSQL/")
            let isSQL = isServers || path.hasPrefix("Sources/ManagedStore/SQL/")
            for line in try Pages.lines(path) where !line.isComment {
                #expect(isSQL || !Self.isSQL(line), "\(path): \(line)")
                #expect(!line.contains("sqlite3_") && Self.importedModule(line) != "CSQLite", "\(path): \(line)")
                #expect(isServers || Self.importedModule(line) != "CPostgres", "\(path): \(line)")
            }
        }
    }

    @Test(arguments: [
        ("let text = \"SELECT 1\"", true), ("    UPDATE ZITEM SET ZDONE = 1", true),
        ("\"CREATE UNIQUE INDEX \\(name)\"", true),
        ("\"\\(name) WHERE Z_PK = ?\"", true), ("context.update(item)", false), ("case whereClause", false),
    ])
    func sqlIsFoundInStringsOfAnyForm(_ line: String, _ isFound: Bool) {
        #expect(Self.isSQL(line[...]) == isFound)
    }

    /// Whether a line of code has words of SQL, which Swift spells otherwise.
    private static func isSQL(_ line: Substring) -> Bool {
        let words = /\b(SELECT|INSERT|UPDATE|DELETE FROM|CREATE|ALTER|DROP|WHERE|PRAGMA|MS_[A-Z]+|Z_PK|Z_ENT|Z_OPT)\b/
        return line.firstMatch(of: words) != nil
    }

    /// What every SQL store shares names nothing that is SQLite's.
    @Test func whatStoresOfSQLShareIsNotSQLites() throws {
        let declaration = /^(?:public |package |final )*(?:struct|class|enum|protocol|typealias) (\w+)/
        let own = try Pages.files("Sources/ManagedStore/SQLite").flatMap { path in
            try Pages.lines(path).compactMap { $0.firstMatch(of: declaration).map { String($0.output.1) } }
        }
        #expect(own.contains("SQLiteStore") && own.contains("Connection"))
        for path in try sources() where path.hasPrefix("Sources/ManagedStore/SQL/") {
            for line in try Pages.lines(path) where !line.isComment {
                let words = Set(line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
                #expect(words.isDisjoint(with: own), "\(path): \(line)")
            }
        }
    }

    /// What is committed is true on every machine.
    @Test func nothingNamesTheMachineItWasMadeOn() throws {
        let places = [/\/home\/\w+/, /\/Users\/\w+/, /\/work\/\w+/]
        let folders = try ["Sources", "Tests", "Results", "Scenarios", ".ci"].flatMap(Pages.files)
        let texts = folders.filter { $0.contains(/\.(swift|md|json|py|sh|c|h)$/) && !$0.hasSuffix("TidyTests.swift") }
        for path in texts + ["README.md", "CONTRIBUTING.md", "Makefile", "action.yml"] {
            for line in try Pages.lines(path) {
                #expect(!places.contains { line.firstMatch(of: $0) != nil }, "\(path): \(line)")
            }
        }
    }

    /// As wide as the formatter lets code be, which looks at no comments; tables cannot be broken.
    @Test func commentsAreNoWiderThanCode() throws {
        for path in try sources() + Pages.files("Tests").filter({ $0.hasSuffix(".swift") }) {
            for line in try Pages.lines(path) where line.utf8.count > 120 && line.isComment && line.count > 120 {
                #expect(line.drop { " /".contains($0) }.hasPrefix("|"), "\(path): \(line)")
            }
        }
    }

    /// A comment says why unchecked code is safe: above the declaration, or at the start of the body of a type.
    @Test func uncheckedSharingSaysWhyItIsSafe() throws {
        for path in try sources() {
            let lines = try Pages.lines(path)
            for (index, line) in lines.enumerated() where !line.isComment {
                let isUnchecked = line.contains("@unchecked Sendable")
                guard isUnchecked || line.contains("nonisolated(unsafe)") else { continue }
                let above = lines[..<index].reversed().prefix(while: \.isComment)
                let below = isUnchecked ? lines[(index + 1)...].prefix(while: \.isComment) : []
                #expect(
                    above.contains(where: \.saysWhatIsSafe) || below.contains(where: \.saysWhatIsSafe),
                    "\(path): \(line)")
            }
        }
    }

    /// Foundation can miss the end of a program, and then waits for ever.
    @Test func noProgramIsWaitedForByFoundation() throws {
        for path in try sources() + Pages.files("Tests").filter({ $0.hasSuffix(".swift") }) {
            for line in try Pages.lines(path) where !line.isComment {
                #expect(!line.contains(".wait" + "UntilExit()"), "\(path): awaitEnd() waits for a program")
            }
        }
    }

    private func sources() throws -> [String] {
        try Pages.files("Sources").filter { $0.hasSuffix(".swift") }
    }
}

extension StringProtocol {
    fileprivate var isComment: Bool { drop { $0 == " " }.hasPrefix("//") }

    /// Whether a line of a comment says why unchecked code is safe.
    fileprivate var saysWhatIsSafe: Bool {
        let text = drop { $0 == " " }
        if text.hasPrefix("///") {
            let words = text.split { !$0.isLetter }
            return words.contains { ["thread", "threads", "queue", "queues", "lock", "Sendable"].contains($0) }
        }
        return text.hasPrefix("// Unchecked: ") || text.hasPrefix("// Unsafe: ")
    }
}
