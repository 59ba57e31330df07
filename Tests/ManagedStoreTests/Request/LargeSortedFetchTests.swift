import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// Results of so many rows that they are moved into the order that they are wanted in.
@Suite(.timeLimit(.minutes(15))) struct LargeSortedFetchTests {
    private static let count = 5 * RowPage.rows

    private func store() throws -> (TestStore, [Double]) {
        let store = try TestStore()
        var random = SeededGenerator(seed: 11)
        let dates = (0..<Self.count).map { _ in Double(Int.random(in: 0..<Self.count / 2, using: &random)) }
        let context = store.context()
        for (index, date) in dates.enumerated() {
            // Short names and some that do not fit into a row.
            _ = Item(index % 100 == 0 ? "A name of many letters, \(index)" : "Item \(index)", at: date, in: context)
        }
        try context.save()
        return (store, dates)
    }

    @Test(arguments: [true, false]) func aLargeResultIsInOrder(ascending: Bool) throws {
        let (store, dates) = try store()
        let request = FetchRequest(
            Item.self, sortBy: [SortDescriptor(\.createdAt, order: ascending ? .forward : .reverse)])
        let context = store.context()
        let items = try context.fetch(request)
        let keys = items.map { Int($0.objectID.key) }
        // Of equal dates the one with the lower key comes first, in either direction, as in SQL.
        let expected = dates.indices.sorted {
            dates[$0] == dates[$1] ? $0 < $1 : (dates[$0] < dates[$1]) == ascending
        }
        #expect(keys == expected.map { $0 + 1 })
        for (item, index) in zip(items, expected) {
            guard item.createdAt.timeIntervalSinceReferenceDate == dates[index] else {
                Issue.record("\(item) has another's date")
                break
            }
            let name = index % 100 == 0 ? "A name of many letters, \(index)" : "Item \(index)"
            guard item.name == name else {
                Issue.record("\(item) has another's name, \(item.name)")
                break
            }
        }
    }

    /// Faults fire from the rows of a sorted result, and the newest ones win, as from any other.
    @Test func theRowsOfALargeResultAreCached() throws {
        let (store, _) = try store()
        let context = store.context()
        let items = try context.items()
        for item in items[..<100] { item.done = true }
        try context.save()
        let database = try store.database()
        try database.execute("UPDATE ZITEM SET ZNAME = 'not from the cache'")
        let other = store.context()
        for item in items.shuffled().prefix(2_000) + items[..<100] {
            let same = try other.item(item.objectID)
            #expect(same.name == item.name && same.done == item.done)
        }
        withExtendedLifetime(items) {}
    }
}
