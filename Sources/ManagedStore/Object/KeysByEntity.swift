/// The keys of many objects, in groups of those of one entity. Mostly all are of one, and a model may have hundreds.
struct KeysByEntity {
    private(set) var groups: [(entity: Int, keys: [Int64])] = []
    /// The group that the last key went to.
    private var current = 0
    /// The groups of the entities; empty while there is only one.
    private var places: [Int: Int] = [:]
    private let expectedCount: Int

    /// - Parameter expectedCount: The number of keys, for which the first group makes room.
    init(expectedCount: Int) {
        self.expectedCount = expectedCount
    }

    mutating func append(_ key: Int64, of entity: Int) {
        if groups.isEmpty || groups[current].entity != entity { choose(entity) }
        groups[current].keys.append(key)
    }

    private mutating func choose(_ entity: Int) {
        var keys: [Int64] = []
        if groups.isEmpty {
            keys.reserveCapacity(expectedCount)
        } else {
            if places.isEmpty { places[groups[0].entity] = 0 }
            current = places[entity] ?? groups.count
            if current < groups.count { return }
            places[entity] = current
        }
        groups.append((entity, keys))
    }
}
