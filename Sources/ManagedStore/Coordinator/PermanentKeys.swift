/// The keys that a save assigns to new rows.
struct PermanentKeys: Sendable {
    /// The first key assigned to new rows with temporary keys, by entity. The other keys follow in the order of the
    /// rows.
    let firstKeys: [Int64]
    /// The rows that the store changed besides those of the save.
    var sideEffects = SideEffects()
    /// The temporary key of the first new object of the context; the keys of the others count down from it.
    private let temporaryBase: Int64
    /// The permanent key of each new object, if rows may refer to new objects.
    private let keys: [Int64]

    init(_ changes: ChangeSet, firstKeys: [Int64]) {
        self.firstKeys = firstKeys
        temporaryBase = changes.temporaryKeyBase
        guard changes.hasRelationships else {
            keys = []
            return
        }
        var lowest: Int64 = 0
        for changes in changes.entities { for row in changes.inserts { lowest = min(lowest, row.row.key) } }
        var keys = [Int64](repeating: ManagedObjectID.noKey, count: lowest < 0 ? Int(temporaryBase - lowest) + 1 : 0)
        for (entity, changes) in changes.entities.enumerated() {
            var next = firstKeys[entity]
            for row in changes.inserts where row.row.key < 0 {
                keys[Int(temporaryBase - row.row.key)] = next
                next += 1
            }
        }
        self.keys = keys
    }

    /// Returns the permanent key for `key`; a permanent key stays the same. The key of an object that was not saved
    /// becomes 0, which no row has.
    @inline(__always) func permanent(_ key: Int64) -> Int64 {
        if key >= 0 { return key }
        let index = Int(temporaryBase - key)
        return keys.indices.contains(index) ? keys[index] : ManagedObjectID.noKey
    }
}
