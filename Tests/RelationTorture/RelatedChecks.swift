/// Queries for errors in related records, in the SQL of every database, which share nothing with the store under test.
enum RelatedChecks {
    /// Returns the errors; empty if there are none. `count` runs a query that counts rows.
    ///
    /// - Parameter more: What else must not exist, in one kind of database.
    static func problems(
        _ more: [(problem: String, rows: String)] = [], _ count: (String) throws -> Int64
    ) rethrows -> [String] {
        try (more + all).compactMap { problem, rows in
            let count = try count("SELECT count(*) FROM \(rows)")
            return count > 0 ? "\(count) \(problem)" : nil
        }
    }

    /// What must not exist.
    private static var all: [(problem: String, rows: String)] {
        toOne("list", in: "ZLIST") + toOne("queue", in: "ZLIST") + toOne("next", in: "ZACCOUNT")
            + toOne("previous", in: "ZACCOUNT") + inverse("next", "previous") + inverse("previous", "next") + [
                ("accounts in no list", #""ZACCOUNT" WHERE "ZLIST" IS NULL"#),
                ("accounts' tags lead nowhere", #""Z_1TAGS" WHERE "Z_3TAGS" NOT IN (SELECT "Z_PK" FROM "ZTAG")"#),
                (
                    "tags' accounts lead nowhere",
                    #""Z_1TAGS" WHERE "Z_1ACCOUNTS" NOT IN (SELECT "Z_PK" FROM "ZACCOUNT")"#
                ),
                (
                    "accounts with a number that another has",
                    #"(SELECT 1 FROM "ZACCOUNT" GROUP BY "ZNUMBER" HAVING count(*) > 1) AS shared"#
                ),
                ("versions are missing", #""ZACCOUNT" WHERE "Z_OPT" IS NULL OR "Z_OPT" < 1"#),
                (
                    "keys are beyond Z_MAX",
                    #""ZACCOUNT" WHERE "Z_PK" > (SELECT "Z_MAX" FROM "Z_PRIMARYKEY" WHERE "Z_NAME" = 'Account')"#
                ),
            ]
    }

    private static func toOne(_ name: String, in table: String) -> [(String, String)] {
        let column = "Z\(name.uppercased())"
        return [
            (
                "references of \(name) lead nowhere",
                "\"ZACCOUNT\" WHERE \"\(column)\" NOT IN (SELECT \"Z_PK\" FROM \"\(table)\")"
            )
        ]
    }

    /// Returns a query for references without their inverse: of two accounts with the same reference, one lacks it.
    private static func inverse(_ name: String, _ inverse: String) -> [(String, String)] {
        let (column, other) = ("\"Z\(name.uppercased())\"", "b.\"Z\(inverse.uppercased())\"")
        return [
            (
                "references of \(name) are not those of \(inverse)",
                "\"ZACCOUNT\" a JOIN \"ZACCOUNT\" b ON b.\"Z_PK\" = a.\(column) "
                    + "WHERE \(other) IS NULL OR \(other) <> a.\"Z_PK\""
            )
        ]
    }
}
