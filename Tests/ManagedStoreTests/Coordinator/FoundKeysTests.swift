import Testing

@testable import ManagedStore

@Suite struct FoundKeysTests {
    private static let lists: [[Int64]] = [
        [], [7], [1, 2, 3], [3, 1, 2], [5, 5, 4], [.max, .min, 0], [9, 1_000_000_000, 2], Array((1...300).reversed()),
    ]

    @Test(arguments: lists) func keysAreSorted(_ keys: [Int64]) {
        var found = FoundKeys()
        for key in keys { found.append(key) }
        #expect(found.sorted().keys == keys.sorted())
    }

    @Test(arguments: lists) func entitiesStayWithTheirKeys(_ keys: [Int64]) {
        var found = FoundKeys()
        for (place, key) in keys.enumerated() { found.append(key, of: place) }
        let sorted = found.sorted()
        #expect(sorted.keys == keys.sorted())
        #expect(sorted.entities.map { keys[Int($0)] } == sorted.keys)
    }
}
