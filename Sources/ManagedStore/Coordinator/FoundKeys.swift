/// The keys of rows, with their entities if these differ.
struct FoundKeys: Sendable {
    private(set) var keys: [Int64] = []
    /// The position in the model of each row's entity; empty if all rows are of the requested entity.
    private(set) var entities: [Int32] = []

    var count: Int { keys.count }

    mutating func append(_ key: Int64) {
        keys.append(key)
    }

    mutating func append(_ key: Int64, of entity: Int) {
        keys.append(key)
        entities.append(Int32(entity))
    }

    /// Returns the IDs, in the order in which the keys were found.
    func ids(_ source: ObjectIDSource, among sources: [ObjectIDSource]) -> [ManagedObjectID] {
        if entities.isEmpty { return keys.map { ManagedObjectID(source: source, key: $0) } }
        return zip(keys, entities).map { ManagedObjectID(source: sources[Int($1)], key: $0) }
    }

    /// Returns the keys in ascending order.
    func sorted() -> FoundKeys {
        if DistinctKeys.areInOrder(keys) { return self }
        if entities.isEmpty {
            let distinct = DistinctKeys.sorted(keys)
            // A damaged index may have a key twice.
            return FoundKeys(keys: distinct.count == keys.count ? distinct : keys.sorted())
        }
        let order = keys.indices.sorted { keys[$0] < keys[$1] }
        return FoundKeys(keys: order.map { keys[$0] }, entities: order.map { entities[$0] })
    }
}
