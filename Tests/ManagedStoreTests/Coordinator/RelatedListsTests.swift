import Foundation
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
        let links = (0..<all.count * 3).map { (owner: all[$0 * 7 % all.count], row: UInt32($0)) }
        let groups = LinkGroups(
            RelatedLists.Links(
                owners: links.map(\.owner), rows: links.map(\.row), numbers: links.map { Int64($0.row) * 3 }),
            owners: owners)
        for (place, owner) in owners.enumerated() {
            let rows = links.filter { $0.owner == owner }.map(\.row)
            #expect(Array(groups.rows[groups[place]]) == rows)
            #expect(groups.numbers[groups[place]].map { $0 / 3 } == rows.map(Int64.init))
        }
    }

    /// Rows that stay on their pages, and more than five pages of them, which move.
    @Test(arguments: [40, 21_000 as Int64]) func rowsLieInTheOrderOfTheLists(_ count: Int64) throws {
        let model = try ManagedObjectModel(Item.self)
        let source = ObjectIDSource(storeIdentifier: UUID(), model: model, entityIndex: 0)
        var builder = FetchedRowsBuilder()
        for key in 1...count {
            let page = builder.page(for: source)
            page.clearValues(of: builder.appended(to: page, key: key))
        }
        // Each row is in one of seven lists, every tenth also in the first one, every eleventh in a list of no owner.
        var pairs: [RelatedLists.Pair] = []
        for key in 1...count {
            pairs.append(.init(owner: key % 11 == 0 ? 8 : key * 5 % 7 + 1, member: key, number: 0))
            if key % 10 == 0 { pairs.append(.init(owner: 1, member: key, number: 0)) }
        }
        var lists = RelatedLists()
        lists.append(builder.finish(), pairs)
        let owners: [Int64] = [3, 1, 2, 4, 5, 6, 7]
        let groups = try lists.arrange(by: owners)
        let keys = lists.rows.references().map(\.row.key)
        let members = owners.map { owner in
            pairs.filter { (pair: RelatedLists.Pair) in pair.owner == owner }.map { $0.member }
        }
        #expect(owners.indices.map { groups.rows[groups[$0]].map { keys[Int($0)] } } == members)
        var seen: Set<Int64> = []
        #expect(keys == (members.joined() + Array(1...count)).filter { seen.insert($0).inserted })
    }
}
