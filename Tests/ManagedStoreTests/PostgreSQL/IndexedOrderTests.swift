import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// The first rows of an order come from an index, without sorting all rows.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
struct IndexedOrderTests {
    private func model(
        isOptional: Bool, uniquenessConstraints: [[String]] = [], fetchIndexes: [[String]] = []
    ) throws -> ManagedObjectModel {
        let number = AttributeDescription("number", .integer64, isOptional: isOptional)
        return try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Item", attributes: [number], uniquenessConstraints: uniquenessConstraints,
                fetchIndexes: fetchIndexes)
        ])
    }

    /// A store with items of these numbers.
    private func store(_ model: ManagedObjectModel, _ numbers: [Int?]) throws -> TestStore {
        let store = try TestStore(.postgreSQL, model: model)
        let context = store.context()
        for number in numbers {
            let object = try EntityDescription.insertNewObject(forEntityName: "Item", into: context)
            try object.setValue(number, forKey: "number")
        }
        try context.save()
        try PostgreSQLConnection(store.url).execute("ANALYZE \"ZITEM\"")
        return store
    }

    /// How the server finds the first items by their numbers, in words.
    private func explanation(
        _ store: TestStore, _ predicate: FetchPredicate? = nil, ascending: Bool = true
    ) throws -> String {
        let database = try #require(try store.coordinator.requireStore() as? PostgreSQLStore)
        let source = database.sources[0]
        let plan = FetchPlan(
            source: source, predicate: try predicate?.resolved(for: source),
            sort: [ResolvedSort(position: 0, ascending: ascending)], limit: 3)
        let query = SQLGenerator(source, database.schema).selectKeys(plan)
            .statement(in: database.dialect.withoutParameters)
        let lines = try PostgreSQLConnection(store.url).query("EXPLAIN \(query.sql)")
        return (0..<lines.count).map { lines[$0].string(0) }.joined(separator: "\n")
    }

    @Test(arguments: [false, true], [false, true])
    func theFirstRowsOfAnOrderComeFromAnIndex(_ isOptional: Bool, _ ascending: Bool) throws {
        let model = try model(isOptional: isOptional, fetchIndexes: [["number"]])
        let store = try store(model, (0..<2_000).map { $0 * 7_919 % 2_000 })
        let text = try explanation(store, ascending: ascending)
        #expect(text.contains("Index") && text.contains("Z_Item_INDEX_number"), "\(text)")
    }

    /// The index of a uniqueness constraint has missing values last, and the order asks for them first, unless a
    /// condition excludes them.
    @Test func theNextRowsAfterAValueComeFromTheIndexOfAConstraint() throws {
        let model = try model(isOptional: true, uniquenessConstraints: [["number"]])
        let store = try store(model, (0..<2_000).map(Optional.init) + [nil])
        let conditions: [(FetchPredicate, isFound: Bool)] = [
            (.compare("number", .greater, Int64(500)), true), (.compare("number", .notEqual, Int64(500)), false),
        ]
        for (predicate, isFound) in conditions {
            let text = try explanation(store, predicate)
            #expect(text.contains("Z_Item_UNIQUE_number") == isFound, "\(text)")
        }
    }

    /// Rows may be older than the requirement.
    @Test func theFirstRowsOfAnOrderAreTheSameWhereRequiredValuesAreMissing() throws {
        let indexes = [["number"]]
        let store = try store(try model(isOptional: true, fetchIndexes: indexes), [2, nil, 1, nil])
        let stricter = try store.secondCoordinator(try model(isOptional: false, fetchIndexes: indexes))
            .confinedContext()
        var request = FetchRequest<ManagedObject>(entityName: "Item")
        request.sortDescriptors = [FetchSortDescriptor(key: "number")]
        let all = try stricter.fetchObjectIDs(request)
        request.fetchLimit = 3
        #expect(try stricter.fetchObjectIDs(request) == Array(all.prefix(3)))
    }
}
