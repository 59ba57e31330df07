/// The rows that a store changed as a side effect of a save or batch request: triggers in its file maintain derived
/// attributes. The versions of these rows stay the same.
struct SideEffects: Sendable {
    /// The keys by the position of the entity.
    var keys: [Int: [Int64]] = [:]
    /// The positions of the entities of which any row may have changed.
    var entities: Set<Int> = []

    var isEmpty: Bool { keys.isEmpty && entities.isEmpty }

    mutating func merge(_ other: SideEffects) {
        keys.merge(other.keys) { $0 + $1 }
        entities.formUnion(other.entities)
    }
}

extension RowCache {
    /// Removes what was read of rows before a store changed them as a side effect.
    func forget(_ effects: SideEffects) {
        if effects.isEmpty { return }
        let moment = now()
        forgetAll(of: Array(effects.entities), at: moment)
        for (entity, keys) in effects.keys { forget(keys, of: entity, at: moment) }
    }
}
