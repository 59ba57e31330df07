/// The keys of many objects, in groups of those of one entity. Mostly all are of one, and a model may have hundreds.
struct KeysByEntity {
    private(set) var groups: [(entity: Int, keys: [Int64])] = []
    /// The group that the last key went to.
    private var current = 0
    private var places: [Int: Int] = [:]

    mutating func append(_ key: Int64, of entity: Int) {
        if groups.isEmpty || groups[current].entity != entity { choose(entity) }
        groups[current].keys.append(key)
    }

    private mutating func choose(_ entity: Int) {
        current = places[entity] ?? groups.count
        if current < groups.count { return }
        places[entity] = current
        groups.append((entity, []))
    }
}
