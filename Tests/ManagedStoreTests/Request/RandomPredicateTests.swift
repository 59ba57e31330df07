import Foundation
import TestSupport
import Testing

@testable import ManagedStore

/// The same predicate means the same in SQL and in memory.
@Suite struct RandomPredicateTests {
    @Test(arguments: Array(1...8) as [UInt64]) func bothStoresFindTheSame(_ seed: UInt64) throws {
        var random = RandomRows(seed: seed)
        let pair = try StorePair(&random, rows: 80)
        for _ in 0..<150 {
            var request = FetchRequest(Everything.self, predicate: random.predicate())
            request.sortDescriptors = random.sort()
            if random.generator.oneIn(3) { request.fetchLimit = Int.random(in: 1..<40, using: &random.generator) }
            let left = try pair.sqlite.fetchObjectIDs(request).map(\.key)
            let right = try pair.memory.fetchObjectIDs(request).map(\.key)
            #expect(left == right, "\(request)")
            #expect(try pair.sqlite.count(for: request) == left.count)
        }
    }

    @Test(arguments: Array(21...26) as [UInt64]) func theSorterOrdersAsSQLiteDoes(_ seed: UInt64) throws {
        var random = RandomRows(seed: seed)
        let pair = try StorePair(&random, rows: 200)
        for _ in 0..<30 {
            var request = FetchRequest(Everything.self)
            request.sortDescriptors = random.sort()
            // Objects are sorted by us, their IDs by SQLite.
            let ours = try pair.sqlite.fetch(request).map(\.objectID)
            #expect(try pair.sqlite.fetchObjectIDs(request) == ours, "\(request)")
            request.fetchLimit = 150
            #expect(try pair.sqlite.fetch(request).map(\.objectID) == Array(ours.prefix(150)), "\(request)")
        }
    }
}
