import Testing

@testable import ManagedStore

/// Conditions on related rows, said in both ways that there are, find the same rows.
@Suite struct UncorrelatedQueryTests {
    private func library() throws -> ManagedObjectContext {
        let context = try Library.store(.sqlite).context()
        let authors = (0..<6).map { Author("\($0)", in: context) }
        let tags = (0..<3).map { Tag("\($0)", in: context) }
        for number in 0..<9 {
            let book = Book("\(number)", in: context)
            if number > 0 { book.author = authors[number % 4] }
            if number % 3 > 0 { book.tags = Set(tags.prefix(number % 3)) }
        }
        authors[2].mentor = authors[0]
        authors[5].friends = [authors[1], authors[4]]
        try context.save()
        return context
    }

    @Test func theAnswersAreTheSame() throws {
        let context = try library()
        let store = try #require(try context.requireStore() as? SQLiteStore)
        let counts = FetchPredicate.Comparison.allCases.flatMap { comparison in
            (0...3).flatMap { count in
                ["books", "friends", "pupils"].map { FetchPredicate.count($0, comparison, count) }
            }
        }
        let conditions: [FetchPredicate] = [
            .any("books", !.compare("title", .equal, "1")), .all("books", .compare("title", .greater, "3")),
            .none("books", .any("tags", .isNil("name"))), .any("friends", !.isNil("mentor.name")),
            .compare("mentor.name", .equal, "0"), .compare("mentor.name", .notEqual, "0"),
            .in("name", ["2", "5"]) && .any("books", .count("tags", .greater, 1)),
        ]
        var schema = store.schema
        schema = SQLSchema(
            tables: schema.tables, joins: schema.joins, dialect: SQLiteDialect(allowsCorrelatedQueries: false))
        let source = try #require(store.sources.first { $0.entity.name == "Author" })
        for predicate in counts + conditions {
            let plan = FetchPlan(source: source, predicate: try predicate.resolved(for: source))
            let query = SQLGenerator(source, schema).selectKeys(plan)
            let found = try store.read(query, FetchControl()) { statement throws(StoreError) in
                try SQLiteStore.keys(statement, [:], FetchControl()).keys
            }
            #expect(try found.sorted() == store.keys(plan, FetchControl()).keys.sorted(), "\(predicate)")
        }
    }
}
