/// Commits that share a transaction.
extension SQLiteStore {
    /// Commits a save, alone or together with those of other threads.
    func commitInTurn(_ changes: ChangeSet) throws(StoreError) -> PermanentKeys {
        guard saves.accepts(changes) else { return try commitAlone(changes) }
        switch saves.turn(for: changes) {
        case .committed(let keys): return keys
        case .alone: return try commitAlone(changes)
        case .lead:
            let joined = JoinedSaves()
            return try pool.write { connection throws(StoreError) in
                try commit(changes, connection, joined: joined)
            } end: {
                joined.finish()
                saves.endTurn()
            }
        }
    }

    private func commitAlone(_ changes: ChangeSet) throws(StoreError) -> PermanentKeys {
        try pool.write { connection throws(StoreError) in try commit(changes, connection) }
    }

    /// Writes saves that wait in the transaction of another one.
    func join(_ joined: JoinedSaves, _ connection: Connection) throws(StoreError) {
        // What triggers do is limited and reported by the transaction.
        if connection.hasTriggers || !connection.reports.isEmpty { return }
        while joined.saves.count < JoinedSaves.limit, let save = saves.next() {
            joined.saves.append((save, nil))
            joined.saves[joined.saves.count - 1].keys = try writeWithinTransaction(save.changes, connection)
        }
    }

    /// Returns nil if the save cannot be written; the transaction is then as it was before.
    private func writeWithinTransaction(
        _ changes: ChangeSet, _ connection: Connection
    ) throws(StoreError) -> PermanentKeys? {
        let keys = try connection.savepoint { () throws(StoreError) in
            let keys = try write(changes, false, connection)
            guard connection.reports.isEmpty else {
                throw StoreError(.storeFailure, "another process added triggers to the file")
            }
            return keys
        }
        if keys == nil { connection.reports.removeAll() }
        return keys
    }
}

/// The saves that joined the transaction of another one.
final class JoinedSaves {
    /// Any more would delay the first one for long.
    static let limit = 16

    /// The keys are nil for a save that was not committed, whose thread is to do so alone.
    var saves: [(save: WaitingSave, keys: PermanentKeys?)] = []

    /// Notes that the transaction was rolled back.
    func wereRolledBack() {
        for index in saves.indices { saves[index].keys = nil }
    }

    /// Tells the threads what became of their saves.
    func finish() {
        for (save, keys) in saves { save.finish(keys.map { .committed($0) } ?? .alone) }
    }
}
