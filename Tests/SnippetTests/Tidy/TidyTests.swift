import Foundation
import Testing

/// What keeps the sources in order, held by reading them.
@Suite struct TidyTests {
    /// Which of our modules a module may import.
    private static let imports: [String: Set<String>] = [
        "Locking": [], "ManagedStore": ["CSQLite", "CSystem", "Locking"], "BenchHarness": ["CSystem", "Locking"],
        "DriverSupport": ["BenchHarness", "Locking"],
        "BenchDrivers": ["BenchHarness", "DriverSupport", "ManagedStore", "CSQLite", "Locking"],
        "BenchCommand": ["BenchHarness", "Locking"],
        "DriverConformance": ["BenchHarness"],
        "bench": ["BenchCommand", "BenchDrivers"], "todo": ["ManagedStore"],
    ]
    private static let modules = Set(imports.keys).union(["CSQLite", "CSystem"])

    @Test func importsGoInOneDirection() throws {
        for path in try sources() {
            let module = String(path.split(separator: "/")[1])
            let imported = try Pages.lines(path).compactMap { line in
                line.firstMatch(of: /^(?:@\w+ )?import (\w+)/).map { String($0.output.1) }
            }
            let allowed = try #require(Self.imports[module], "a module that no rule is known for: \(path)")
            #expect(Set(imported).intersection(Self.modules).subtracting(allowed).isEmpty, "\(path)")
            #expect(Set(imported).count == imported.count, "imports a module twice: \(path)")
        }
    }

    /// Nothing but the stores that speak SQL knows that there is any, and nothing but the SQLite store that there is
    /// SQLite.
    @Test func onlyStoresOfSQLKnowSQL() throws {
        let sql = /"[^"]*\b(SELECT|INSERT INTO|DELETE FROM|PRAGMA|MS_[A-Z]+|Z_PK|Z_ENT|Z_OPT)\b/
        for path in try sources() where path.hasPrefix("Sources/ManagedStore/") {
            if path.hasPrefix("Sources/ManagedStore/SQLite/") { continue }
            let isSQL = path.hasPrefix("Sources/ManagedStore/SQL/")
            for line in try Pages.lines(path) where !line.isComment {
                #expect(isSQL || line.firstMatch(of: sql) == nil, "\(path): \(line)")
                #expect(!line.contains("sqlite3_") && !line.hasPrefix("import CSQLite"), "\(path): \(line)")
            }
        }
    }

    /// What every SQL store shares names nothing that is SQLite's.
    @Test func whatStoresOfSQLShareIsNotSQLites() throws {
        let own = try Pages.files("Sources/ManagedStore/SQLite").flatMap { path in
            try Pages.lines(path).compactMap { line in
                line.firstMatch(of: /^(?:final )?(?:struct|class|enum|protocol) (\w+)/).map { String($0.output.1) }
            }
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
        let tests = try Pages.files("Tests").filter { $0.hasSuffix(".swift") && !$0.hasSuffix("TidyTests.swift") }
        for path in try sources() + tests + ["README.md", "Makefile"] {
            for line in try Pages.lines(path) {
                #expect(!places.contains { line.firstMatch(of: $0) != nil }, "\(path): \(line)")
            }
        }
    }

    /// As wide as the formatter lets code be, which looks at no comments; tables cannot be broken.
    @Test func commentsAreNoWiderThanCode() throws {
        for path in try sources() + Pages.files("Tests").filter({ $0.hasSuffix(".swift") }) {
            for line in try Pages.lines(path) where line.isComment && line.count > 120 {
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
