import TestSupport
import Testing

@testable import ManagedStore

/// Grouping the rows of relationships by their owners.
@Suite struct RelatedListsTests {
    private static let lists: [[Int64]] = [
        [], [5], [5, 5, 4], [.max, .min, 0], [-3, -2, -2], Array(1...200), [1, 64, 65, 128, 129, 2, 1],
        [1, 1_000_000, 2], [.max, .max - 1], [.min, .min + 63, .min + 64],
    ]

    @Test(arguments: lists) func keysAreSortedAndDistinct(_ keys: [Int64]) {
        #expect(DistinctKeys.sorted(keys) == Set(keys).sorted())
    }

    @Test(arguments: lists) func linksAreGroupedByTheirOwnersInTheirOrder(_ keys: [Int64]) throws {
        let owners = Array(Set(keys))
        let strangers: [Int64] = [7_777, .max - 5, .min + 5]
        let all = owners + strangers.filter { !owners.contains($0) }
        let links = (0..<all.count * 3).map { number in
            RelatedLists.Link(owner: all[number * 7 % all.count], row: UInt32(number), number: 0)
        }
        let groups = LinkGroups(links, owners: owners)
        for (place, owner) in owners.enumerated() {
            #expect(groups[place].map(\.row) == links.filter { $0.owner == owner }.map(\.row))
        }
    }
}
