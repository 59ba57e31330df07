import BenchHarness
import CSQLite
import Foundation

/// Searches a file of related records for errors by SQL, with code that shares nothing with the store under test.
struct RelatedFileInspector {
    let file: URL

    /// Returns the errors; empty if there are none.
    func problems() throws -> [String] {
        let connection = try PlainConnection(file: file, flags: SQLITE_OPEN_READONLY)
        var problems: [String] = []
        let check = try connection.prepare("PRAGMA integrity_check")
        while try check.step() { if check.string(0) != "ok" { problems.append(check.string(0)) } }
        for (problem, rows) in Self.checks {
            let count = try connection.integer("SELECT count(*) FROM \(rows)") ?? 0
            if count > 0 { problems.append("\(count) \(problem)") }
        }
        return problems
    }

    /// Queries for rows that must not exist.
    private static var checks: [(problem: String, rows: String)] {
        toOne("list", in: "ZLIST") + toOne("queue", in: "ZLIST") + toOne("next", in: "ZACCOUNT")
            + toOne("previous", in: "ZACCOUNT") + inverse("next", "previous") + inverse("previous", "next") + [
                ("accounts in no list", "ZACCOUNT WHERE ZLIST IS NULL"),
                ("accounts' tags lead nowhere", "Z_1TAGS WHERE Z_3TAGS NOT IN (SELECT Z_PK FROM ZTAG)"),
                ("tags' accounts lead nowhere", "Z_1TAGS WHERE Z_1ACCOUNTS NOT IN (SELECT Z_PK FROM ZACCOUNT)"),
                (
                    "accounts with a number that another has",
                    "(SELECT 1 FROM ZACCOUNT GROUP BY ZNUMBER HAVING count(*) > 1)"
                ),
                ("versions are missing", "ZACCOUNT WHERE Z_OPT IS NULL OR Z_OPT < 1"),
                (
                    "keys are beyond Z_MAX",
                    "ZACCOUNT WHERE Z_PK > (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Account')"
                ),
            ]
    }

    private static func toOne(_ name: String, in table: String) -> [(String, String)] {
        let column = "Z\(name.uppercased())"
        return [
            ("references of \(name) lead nowhere", "ZACCOUNT WHERE \(column) NOT IN (SELECT Z_PK FROM \(table))")
        ]
    }

    /// Returns a query for references without their inverse: of two accounts with the same reference, one lacks it.
    private static func inverse(_ name: String, _ inverse: String) -> [(String, String)] {
        let (column, other) = ("Z\(name.uppercased())", "Z\(inverse.uppercased())")
        return [
            (
                "references of \(name) are not those of \(inverse)",
                "ZACCOUNT a JOIN ZACCOUNT b ON b.Z_PK = a.\(column) WHERE b.\(other) IS NOT a.Z_PK"
            )
        ]
    }
}
