/// The rows that a store changed by itself in the course of a save or a batch request: triggers of its file keep
/// derived attributes. Their versions stay what they were.
struct SideEffects: Sendable {
    /// The keys by the position of the entity.
    var keys: [Int: [Int64]] = [:]
    /// The positions of the entities of which any row may be another one.
    var entities: Set<Int> = []

    var isEmpty: Bool { keys.isEmpty && entities.isEmpty }
}

extension RowCache {
    /// Forgets what was read of rows before a store changed them by itself.
    func forget(_ effects: SideEffects) {
        if effects.isEmpty { return }
        let moment = now()
        forgetAll(of: Array(effects.entities), at: moment)
        for (entity, keys) in effects.keys { forget(keys, of: entity, at: moment) }
    }
}
