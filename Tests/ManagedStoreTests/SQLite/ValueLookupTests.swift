import Locking
import TestSupport
import Testing

@testable import ManagedStore

/// Rows that are looked up by several integers are those that the condition names.
@Suite struct ValueLookupTests {
    private static let fetchIndexes = [["number"], ["small"]]

    private func context(_ backend: Backend = .sqlite) throws -> ManagedObjectContext {
        let entity = EntityDescription(Everything.self, fetchIndexes: Self.fetchIndexes)
        let context = try TestStore(backend, model: ManagedObjectModel(entities: [entity])).context()
        for number in [.min, -1, 0, 1, 2, 3, 3, 5, .max] as [Int64] { Everything("\(number)", number, in: context) }
        try context.save()
        return context
    }

    private func numbers(_ context: ManagedObjectContext, _ wanted: [Int64]) throws -> [Int64] {
        try context.fetch(FetchRequest(Everything.self, predicate: .in("number", wanted))).map(\.number).sorted()
    }

    @Test(arguments: Backend.allCases) func eachRowComesOnce(_ backend: Backend) throws {
        let context = try context(backend)
        #expect(try numbers(context, [5, 1, 5, 1, 5]) == [1, 5])
        #expect(try numbers(context, [3]) == [3, 3])
        #expect(try numbers(context, []) == [])
        #expect(try numbers(context, [.max, 4, .min, 0, -1]) == [.min, -1, 0, .max])
    }

    @Test func anyNumberOfValuesFindsTheSameRows() throws {
        let context = try context()
        // Also fewer values than the same statement had before.
        let counts = [1, 2, 3, 4, 5, 255, 256, 257, ValueLookup.limit, ValueLookup.limit + 1]
        for count in counts + counts.reversed() + [8, 5, 7, 3] {
            let wanted = (0..<count).map { Int64($0) }
            #expect(try numbers(context, wanted) == [0, 1, 2, 3, 3, 5].filter { $0 < count }, "\(count)")
        }
    }

    @Test(arguments: Backend.allCases) func oneValueFindsItsRows(_ backend: Backend) throws {
        let context = try context(backend)
        for (wanted, count) in [(3, 2), (5, 1), (4, 0), (.min, 1), (.max, 1)] as [(Int64, Int)] {
            let request = FetchRequest(Everything.self, predicate: .compare("number", .equal, wanted))
            #expect(try context.fetch(request).map(\.number) == .init(repeating: wanted, count: count))
        }
    }

    @Test func oneValueAndAListOfOneShareAStatement() throws {
        let store = try #require(try context().requireStore() as? SQLiteStore)
        let source = try #require(store.sources.first)
        let keys = try [FetchPredicate.in("number", [1] as [Int64]), .compare("number", .equal, Int64(2))].map {
            let plan = FetchPlan(source: source, predicate: try $0.resolved(for: source))
            return try #require(ValueLookup(plan, in: store.tables[0])).key(store.selections[plan])
        }
        #expect(keys[0] == keys[1])
    }

    @Test func listsOfSimilarLengthShareAStatement() throws {
        let context = try context()
        let store = try #require(try context.requireStore() as? SQLiteStore)
        let source = try #require(store.sources.first)
        let statements = try (5...9).map { count in
            let predicate = FetchPredicate.in("number", (0..<count).map { Int64($0) })
            let plan = FetchPlan(source: source, predicate: try predicate.resolved(for: source))
            let lookup = try #require(ValueLookup(plan, in: store.tables[0]))
            let selection = store.selections[plan]
            return (lookup.key(selection), lookup.text(plan, selection, store.schema))
        }
        #expect(Set(statements.map(\.0)).count == 2 && Set(statements.map(\.1)).count == 2, "\(statements)")
        #expect(statements[0].1.contains("VALUES"))
    }

    /// Statements are told by what they read: the same values of other columns or entities are other statements.
    @Test func statementsOfDifferentTextsHaveDifferentKeys() throws {
        let context = try Library.store(.sqlite).context()
        let store = try #require(try context.requireStore() as? SQLiteStore)
        let keys = [[], [7], [7, 9], [7, 8], [7, 8, 9, 11]] as [[Int64]]
        let columns = store.tables.flatMap { table in
            table.references.keys.map { FetchPlan(source: table.source).whose($0) }
        }
        let plans =
            columns
            + keys.flatMap { keys in
                store.sources.flatMap { source in
                    [true, false].map { FetchPlan(source: source, includesSubentities: $0, predicate: .keys(keys)) }
                }
            }
        var texts: [StatementKey: Set<String>] = [:]
        for plan in plans {
            let lookup = try #require(ValueLookup(plan, in: store.tables[plan.source.entityIndex]))
            let selection = store.selections[plan]
            texts[lookup.key(selection), default: []].insert(lookup.text(plan, selection, store.schema))
        }
        #expect(texts.values.allSatisfy { $0.count == 1 } && texts.count > 20, "\(texts)")
        #expect(Set(texts.values).count == texts.count, "one text has several statements")
    }

    /// A lookup is brief if it reads few rows, by keys or by unique values, and no other files.
    @Test func aFewKeysAndUniqueValuesAreBrief() throws {
        let entity = EntityDescription(
            name: "Thing", attributes: ["code", "size"].map { AttributeDescription($0, .integer64) },
            uniquenessConstraints: [["code"]], fetchIndexes: [["size"]])
        let context = try TestStore(model: ManagedObjectModel(entities: [entity])).context()
        var table = try #require(try context.requireStore() as? SQLiteStore).tables[0]
        func isBrief(_ predicate: ResolvedPredicate) throws -> Bool {
            try #require(ValueLookup(FetchPlan(source: table.source, predicate: predicate), in: table)).isBrief
        }
        func values(_ count: Int) -> [StoredValue] { (0..<count).map { .integer64(Int64($0)) } }
        func keys(_ count: Int) -> [Int64] { (0..<count).map { Int64(2 * $0) } }
        #expect(try isBrief(.keys(keys(64))) && isBrief(.keys([1, 2, 3])) && !isBrief(.keys(keys(65))))
        #expect(try isBrief(.in(0, values(64))) && !isBrief(.in(0, values(65))) && !isBrief(.in(1, values(2))))
        table.externals = [0]
        #expect(try !isBrief(.keys(keys(2))) && !isBrief(.in(0, values(2))))
    }

    /// A table for the values would take many more steps.
    @Test func noTableIsMadeOfTheValues() throws {
        let context = try context()
        let store = try #require(try context.requireStore() as? SQLiteStore)
        let source = try #require(store.sources.first)
        let predicate = FetchPredicate.in("number", [1, 2, 5] as [Int64])
        let plan = FetchPlan(source: source, predicate: try predicate.resolved(for: source))
        let lookup = try #require(ValueLookup(plan, in: store.tables[0]))
        let query = SQLFragment(
            sql: "EXPLAIN " + lookup.text(plan, store.selections[plan], store.schema),
            bindings: [.integer64(1), .integer64(2), .integer64(5), .null])
        let steps = try store.read(query, FetchControl()) { statement throws(StoreError) in
            var steps: [String] = []
            while try statement.step() { steps.append(statement.string(1)) }
            return steps
        }
        #expect(!steps.contains("OpenEphemeral") && steps.contains("SeekGE"), "\(steps)")
    }

    /// More keys than one statement takes, most of which no row has.
    @Test(arguments: Backend.allCases) func anyNumberOfKeysFindsTheSameRows(_ backend: Backend) throws {
        let context = try Library.store(backend).context()
        for number in 1...400 { _ = number % 3 == 0 ? Atlas("\(number)", in: context) : Book("\(number)", in: context) }
        try context.save()
        let titles = try context.fetch(FetchRequest(Book.self)).map { ($0.objectID.primaryKey, $0.title) }
        for count in [ValueLookup.limit, ValueLookup.limit + 1, 3 * ValueLookup.limit] {
            context.reset()
            let ids = (0..<count).reversed().compactMap { index in
                context.persistentStoreCoordinator.objectID(withPrimaryKey: Int64(2 * index + 1), ofEntityNamed: "Book")
            }
            let found = try context.fetch(FetchRequest(Book.self, predicate: .objectID(in: ids)))
            #expect(ids.count == count)
            #expect(found.map(\.title).sorted() == titles.filter { $0.0 % 2 == 1 }.map(\.1).sorted())
            let sorted = FetchRequest(Book.self, sortBy: [.init(\.title)], predicate: .objectID(in: ids))
            #expect(try context.fetch(sorted).map(\.title) == found.map(\.title).sorted())
        }
    }

    @Test func partsReportAllRowsFoundSoFar() throws {
        let context = try context()
        let store = try #require(try context.requireStore() as? SQLiteStore)
        let source = try #require(store.sources.first)
        // The odd keys up to 9 have rows, in the first part.
        let keys = (0...ValueLookup.limit).map { Int64(2 * $0 + 1) }
        let plan = FetchPlan(source: source, predicate: .keys(keys))
        let reports = Locked([Int]())
        let rows = try store.rows(plan, FetchControl(report: { count in reports.withLock { $0.append(count) } }))
        #expect(rows.count == 5)
        #expect(reports.withLock { $0 } == .init(repeating: 5, count: ValueLookup.parts(of: plan)?.count ?? 1))
    }

    @Test(arguments: Backend.allCases) func objectsOfOneEntityAmongThoseThatShareATable(_ backend: Backend) throws {
        let context = try Library.store(backend).context()
        let books = (0..<9).map { $0 % 3 == 0 ? Atlas("\($0)", in: context) : Book("\($0)", in: context) }
        try context.save()
        let ids = [8, 0, 3, 1].map { books[$0].objectID }
        let all = FetchRequest(Book.self, sortBy: [.init(\.title)], predicate: .objectID(in: ids))
        #expect(try context.fetch(all).map(\.title) == ["0", "1", "3", "8"])
        let atlases = FetchRequest(Atlas.self, sortBy: [.init(\.title)], predicate: .objectID(in: ids))
        #expect(try context.fetch(atlases).map(\.title) == ["0", "3"])
        context.reset()
        let faults = ids.map { context.object(with: $0) as? Book }
        #expect(faults.map { $0?.title } == ["8", "0", "3", "1"])
    }
}

extension FetchPlan {
    /// The same plan for the rows with one value of a field.
    fileprivate func whose(_ field: Int) -> FetchPlan {
        var plan = self
        plan.predicate = .in(field, [.integer64(7)])
        return plan
    }
}
