import Foundation
import Testing

@testable import ManagedStore

/// The statements that a dialect other than SQLite's gets of the generator.
@Suite struct SQLDialectTests {
    private let schema: SQLSchema

    init() throws {
        let sources = ObjectIDSource.all(try Library.model(), UUID())
        let tables = SchemaStatements.tables(numberedAnew: sources)
        schema = SQLSchema(
            tables: tables, joins: JoinTable.all(sources[0].model, tables), dialect: ServerDialect())
    }

    private func source(_ entity: String) throws -> ObjectIDSource {
        try #require(schema.tables.first { $0.source.entity.name == entity }).source
    }

    private func plan(_ entity: String, _ predicate: FetchPredicate? = nil) throws -> FetchPlan {
        let source = try source(entity)
        return FetchPlan(source: source, predicate: try predicate?.resolved(for: source))
    }

    private func generator(_ entity: String) throws -> SQLGenerator { SQLGenerator(try source(entity), schema) }

    private func keys(_ entity: String, _ predicate: FetchPredicate) throws -> SQLFragment {
        try generator(entity).selectKeys(try plan(entity, predicate)).statement(in: ServerDialect())
    }

    private func expect(
        _ entity: String, _ predicate: FetchPredicate, _ condition: String, _ bindings: [StoredValue],
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try keys(entity, predicate)
        let start = "SELECT \"Z_PK\" FROM \"Z\(entity.uppercased())\" WHERE "
        #expect(found.sql == start + condition, sourceLocation: location)
        #expect(found.bindings == bindings, sourceLocation: location)
    }

    @Test func namesAreQuotedAndParametersNumbered() throws {
        var plan = try plan("Author", .compare("name", .greater, "a") && .compare("name", .lessOrEqual, "b"))
        plan.sort = [ResolvedSort(position: 0, ascending: false)]
        (plan.limit, plan.offset) = (5, 3)
        let generator = try generator("Author")
        let keys = generator.selectKeys(plan).statement(in: ServerDialect())
        #expect(
            keys.sql == """
                SELECT "Z_PK" FROM "ZAUTHOR" WHERE (("ZNAME" > $1 AND "ZNAME" IS NOT NULL) AND \
                ("ZNAME" <= $2 AND "ZNAME" IS NOT NULL)) ORDER BY "ZNAME" DESC NULLS LAST, "Z_PK" LIMIT $3 OFFSET $4
                """)
        #expect(keys.bindings == [.string("a"), .string("b"), .integer64(5), .integer64(3)])
        let rows = generator.selectRows(plan, RowSelections(schema)[plan], ordered: false)
        #expect(rows.sql.hasPrefix("SELECT \"Z_PK\", \"Z_OPT\", \"ZNAME\", \"ZMENTOR\" FROM \"ZAUTHOR\" WHERE"))
    }

    @Test func truthValuesNullAndListsAreTheDialects() throws {
        try expect("Author", .isNil("name"), "\"ZNAME\" IS NULL", [])
        try expect(
            "Author", .compare("name", .notEqual, "a"), "NOT (\"ZNAME\" = $1 AND \"ZNAME\" IS NOT NULL)",
            [.string("a")])
        try expect("Author", FetchPredicate(.constant(true)), "TRUE", [])
        try expect(
            "Author", .in("name", ["a", "b"]), "(\"ZNAME\" = ANY($1) AND \"ZNAME\" IS NOT NULL)",
            [.string("{'a','b'}")])
        let ids = try [7, 3, 12].map { ManagedObjectID(source: try source("Author"), key: $0) }
        try expect("Author", FetchPredicate(.objectIDs(ids)), "\"Z_PK\" = ANY($1)", [.string("{3,7,12}")])
    }

    /// Where it would take a query about the row of the query around it, another is asked once.
    @Test func relatedRowsAreFoundWithoutCorrelatedQueries() throws {
        let author = "SELECT t1.\"Z_PK\" FROM \"ZAUTHOR\" t1 WHERE ((t1.\"ZNAME\" = $1 AND t1.\"ZNAME\" IS NOT NULL))"
        try expect(
            "Chapter", .compare("book.author.name", .equal, "a"),
            """
            ("ZBOOK" IN (SELECT t1."Z_PK" FROM "ZBOOK" t1 WHERE ((t1."ZAUTHOR" IN (\
            \(author.replacing("t1", with: "t2"))) AND t1."ZAUTHOR" IS NOT NULL))) AND "ZBOOK" IS NOT NULL)
            """, [.string("a")])
        let book = "SELECT t1.\"Z_PK\" FROM \"ZBOOK\" t1 WHERE (NOT t1.\"ZTITLE\" IS NULL)"
        try expect(
            "Tag", .any("books", !.isNil("title")) && FetchPredicate(.constant(true)),
            """
            ("Z_PK" IN (SELECT jt1."Z_6TAGS" FROM "Z_6BOOKS" jt1 WHERE jt1."Z_6TAGS" IS NOT NULL AND \
            jt1."Z_2BOOKS" IN (\(book))) AND TRUE)
            """, [])
    }

    /// SQLite reads rows in the order of the index that finds them. If all are read, their keys are gathered first.
    @Test func keysOfRelatedRowsAreGathered() throws {
        let source = try source("Book")
        let sqlite = SQLGenerator(
            source, SQLSchema(tables: schema.tables, joins: schema.joins, dialect: SQLiteDialect()))
        func condition(_ predicate: FetchPredicate, limit: Int = 0) throws -> String {
            var plan = FetchPlan(source: source, predicate: try predicate.resolved(for: source))
            plan.limit = limit
            let sql = sqlite.selectRows(plan, RowSelections(schema)[plan], ordered: false).sql
            return String(try #require(sql.split(separator: " AND ", maxSplits: 1).last))
        }
        let (named, titled) = (FetchPredicate.compare("author.name", .equal, "a"), !FetchPredicate.isNil("title"))
        let refers = """
            (ZAUTHOR IN (SELECT t1.Z_PK FROM ZAUTHOR t1 WHERE (t1.ZNAME IS ?)) AND ZAUTHOR IS NOT NULL)
            """
        let gathered = "Z_PK IN (SELECT Z_PK FROM ZBOOK WHERE \(refers))"
        #expect(try condition(named) == gathered)
        #expect(try condition(titled && named).hasSuffix(" AND \(gathered))"))
        #expect(try condition(titled || named).hasSuffix(" OR \(refers))"))
        #expect(try condition(!named) == "NOT (\(refers))")
        #expect(try condition(named, limit: 1) == "\(refers) LIMIT ? OFFSET ?")
        #expect(try !condition(named && named).contains("SELECT Z_PK"))
        let many = try condition(.compare("author.name", .greater, "a"))
        #expect(many.contains("(+ZAUTHOR IN") && !many.contains("SELECT Z_PK"))
        let plan = FetchPlan(source: source, predicate: try named.resolved(for: source))
        #expect(sqlite.delete(plan).sql.hasSuffix(" AND \(gathered)"))
        #expect(!sqlite.selectKeys(plan).sql.contains("(SELECT Z_PK"), "the index has the keys")
    }

    @Test(arguments: [
        (FetchPredicate.Comparison.greater, 2, "", "> $1"), (.less, 1, "NOT ", "< $1"), (.equal, 0, "NOT ", "= $1"),
        (.notEqual, 0, "", "<> $1"),
    ])
    func relatedRowsAreCountedOnce(
        _ expected: (comparison: FetchPredicate.Comparison, count: Int, word: String, condition: String)
    ) throws {
        let (comparison, count, word, condition) = expected
        try expect(
            "Author", .count("books", comparison, count),
            """
            "Z_PK" \(word)IN (SELECT t1."ZAUTHOR" FROM "ZBOOK" t1 WHERE t1."ZAUTHOR" IS NOT NULL GROUP BY t1."ZAUTHOR" \
            HAVING \(word)(COUNT(*) \(condition)))
            """, [.integer64(Int64(count))])
    }

    @Test func whatTheDialectCannotSayIsLeft() throws {
        let generator = try generator("Author")
        func divided(_ predicate: FetchPredicate) throws -> [Bool] {
            let division = generator.divided(try plan("Author", predicate).predicate)
            return [division.said != nil, division.rest != nil]
        }
        let found = FetchPredicate.string("name", .contains, "a")
        let matched = FetchPredicate.string("name", .matches, "a+")
        #expect(try divided(found) == [true, false])
        #expect(try divided(matched) == [false, true])
        #expect(try divided(found && matched) == [true, true])
        #expect(try divided(found || matched) == [false, true])
        #expect(try divided(!matched) == [false, true])
        #expect(try divided(.any("books", .string("title", .like, "*"))) == [false, true])
        #expect(generator.says([ResolvedSort(position: 0, ascending: true)]))
        #expect(!generator.says([ResolvedSort(position: 0, ascending: true, options: .caseInsensitive)]))
        let sqlite = SQLGenerator(
            try source("Author"), SQLSchema(tables: schema.tables, joins: schema.joins, dialect: SQLiteDialect()))
        #expect(sqlite.divided(try plan("Author", found || matched).predicate).rest == nil)
    }

    @Test func batchesAreWritten() throws {
        let generator = try generator("Author")
        let rows = try plan("Author", .compare("name", .equal, "a"))
        let update = BatchUpdatePlan(rows: rows, assignments: [(0, .constant(.string("b")))], wantsKeys: false)
        #expect(generator.says(update))
        let condition = "WHERE (\"ZNAME\" = $2 AND \"ZNAME\" IS NOT NULL)"
        #expect(
            generator.update(update).statement(in: ServerDialect()).sql
                == "UPDATE \"ZAUTHOR\" SET \"ZNAME\" = $1, \"Z_OPT\" = \"Z_OPT\" + 1 \(condition)")
        #expect(
            generator.delete(rows).statement(in: ServerDialect()).sql
                == "DELETE FROM \"ZAUTHOR\" \(condition.replacing("$2", with: "$1"))")
        let copy = BatchUpdatePlan(rows: rows, assignments: [(0, .attribute(0))], wantsKeys: false)
        #expect(!generator.says(copy))
    }

    @Test func tablesAreDeclared() throws {
        let statements = SchemaStatements(dialect: ServerDialect())
        let author = try #require(schema.tables.first { $0.name == "ZAUTHOR" })
        #expect(
            statements.creations([author]) == [
                """
                CREATE TABLE "ZAUTHOR" ( "Z_PK" bigint PRIMARY KEY, "Z_ENT" bigint, "Z_OPT" bigint, "ZMENTOR" bigint, \
                "ZNAME" text COLLATE "C" )
                """,
                "CREATE INDEX \"ZAUTHOR_ZMENTOR_INDEX\" ON \"ZAUTHOR\" (\"ZMENTOR\")",
            ])
        let join = try #require(schema.joins.first { $0.name == "Z_6BOOKS" })
        #expect(statements.creations(join)[0].hasPrefix("CREATE TABLE \"Z_6BOOKS\" ( \"Z_6TAGS\" bigint, "))
    }

    @Test func relationshipsAreWritten() throws {
        let statements = RelationshipStatements(schema: schema)
        let tags = try source("Book").relationship(named: "tags")
        guard case .manyToMany(let join, _) = tags.kind else { return }
        #expect(
            statements.changes(ofPairs: join).addition
                == "INSERT INTO \"Z_6BOOKS\" (\"Z_6TAGS\", \"Z_2BOOKS\") VALUES (?, ?) ON CONFLICT DO NOTHING")
        let chapters = try source("Book").relationship(named: "chapters")
        let selection = RowSelections(schema)[try source("Chapter").entityIndex]
        #expect(
            statements.rows(chapters, selection).order == """
                SELECT t."Z_FOK_BOOK" FROM "ZCHAPTER" t WHERE t."ZBOOK" = ? ORDER BY t."Z_FOK_BOOK" NULLS FIRST, t."Z_PK"
                """)
    }

    /// What is more than a statement has parameters for stands in the text.
    @Test func tooManyParametersBecomeText() {
        let fragment = SQLFragment(sql: "a = ? AND b = ?", bindings: [.integer64(4), .string("x")])
        #expect(fragment.statement(in: ServerDialect()).sql == "a = $1 AND b = $2")
        let text = fragment.statement(in: ServerDialect(parameterLimit: 1))
        #expect(text.sql == "a = 4 AND b = 'x'" && text.bindings.isEmpty)
    }
}
