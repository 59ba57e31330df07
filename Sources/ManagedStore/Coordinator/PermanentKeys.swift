/// The keys that a save assigns to new rows.
struct PermanentKeys: Sendable {
    /// The first key assigned to new rows with temporary keys, by entity. The other keys follow in the order of the
    /// rows.
    private(set) var firstKeys: [Int64] = []
    /// The rows that the store changed besides those of the save.
    var sideEffects = SideEffects()
    /// The temporary key of the first new object of the context; the keys of the others count down from it.
    private var temporaryBase: Int64 = -1
    /// The permanent key of each new object, if rows may refer to new objects.
    private var keys: [Int64] = []

    /// Makes keys for no rows.
    init() {}

    /// Assigns keys to the new rows of a save.
    ///
    /// - Parameter reserve: Reserves a number of keys of the entity at a position, and returns the first.
    init(
        _ changes: ChangeSet, _ reserve: (_ count: Int, _ entity: Int) throws(StoreError) -> Int64
    ) throws(StoreError) {
        firstKeys = try changes.entities.indices.map { entity throws(StoreError) in
            let temporary = changes.entities[entity].inserts.count { $0.row.key < 0 }
            return temporary > 0 ? try reserve(temporary, entity) : 0
        }
        temporaryBase = changes.temporaryKeyBase
        if changes.hasRelationships { assignEach(changes) }
    }

    private mutating func assignEach(_ changes: ChangeSet) {
        var lowest: Int64 = 0
        for changes in changes.entities { for row in changes.inserts { lowest = min(lowest, row.row.key) } }
        keys = [Int64](repeating: ManagedObjectID.noKey, count: lowest < 0 ? Int(temporaryBase - lowest) + 1 : 0)
        for (entity, changes) in changes.entities.enumerated() {
            var next = firstKeys[entity]
            for row in changes.inserts where row.row.key < 0 {
                keys[Int(temporaryBase - row.row.key)] = next
                next += 1
            }
        }
    }

    /// Returns the permanent key for `key`; a permanent key stays the same. The key of an object that was not saved
    /// becomes 0, which no row has.
    @inline(__always) func permanent(_ key: Int64) -> Int64 {
        if key >= 0 { return key }
        let index = Int(temporaryBase - key)
        return keys.indices.contains(index) ? keys[index] : ManagedObjectID.noKey
    }
}
