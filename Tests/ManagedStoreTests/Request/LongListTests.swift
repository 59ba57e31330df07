import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Conditions with more values than SQLite takes parameters.
@Suite struct LongListTests {
    private static let many = 100_000

    @Test(arguments: Backend.allCases) func oneOfAHundredThousandNumbers(_ backend: Backend) throws {
        let context = try TestStore(backend).context()
        for number in [-1, 0, 5, 99_999, 100_000] as [Int64] { Everything("", number, in: context) }
        try context.save()
        let wanted = (0..<Self.many).reversed().map { Int64($0) }
        let request = FetchRequest(
            Everything.self, sortBy: [SortDescriptor(\.number)], predicate: .in("number", wanted))
        #expect(try context.fetch(request).map(\.number) == [0, 5, 99_999])
        #expect(try context.count(for: request) == 3)
        var others = FetchRequest(Everything.self, predicate: !FetchPredicate.in("number", wanted))
        others.fetchLimit = 1
        #expect(try context.fetch(others).map(\.number) == [-1])
        _ = try context.execute(BatchDeleteRequest(fetchRequest: request))
        #expect(try context.count(for: FetchRequest(Everything.self)) == 2)
    }

    /// Values of every type are found among the many, and those next to them are not.
    @Test func valuesOfEveryTypeAreFoundExactly() throws {
        for attribute in Everything.attributes.map(\.description) {
            var random = RandomRows(seed: 1)
            let pair = try StorePair(&random, rows: 12)
            let options = random.options(for: attribute)
            var values = (0..<4).map { _ in random.value(attribute.attributeType) } + [.null]
            let fresh = try pair.stored.fetch(FetchRequest(Everything.self))
            values += try fresh.prefix(3).map { try $0.storedValue(forKey: attribute.name) }
            let long = Array(repeatElement(values, count: SQLiteDialect.parameterLimit / values.count + 2).joined())
            let short = FetchRequest(
                Everything.self, predicate: FetchPredicate(.in(key: attribute.name, values, options)))
            let request = FetchRequest(
                Everything.self, predicate: FetchPredicate(.in(key: attribute.name, long, options)))
            let (few, many) = (try pair.answers(short)[0], try pair.stored.fetchObjectIDs(request).map(\.key))
            #expect(few == many && many.count >= 3, "\(attribute.name)")
        }
    }

    @Test func objectsOfAHundredThousandOwners() throws {
        let context = try Library.store(.sqlite).context()
        let authors = (0..<3).map { Author("\($0)", in: context) }
        for author in authors { _ = Book(author.name, in: context).author = author }
        try context.save()
        let source = authors[0].objectID.source
        let ids = (2...Int64(Self.many)).map { StoredValue.objectID(ManagedObjectID(source: source, key: $0)) }
        let request = FetchRequest(Book.self, predicate: FetchPredicate(.in(key: "author", ids, [])))
        #expect(try context.fetch(request).map(\.title).sorted() == ["1", "2"])
    }
}
