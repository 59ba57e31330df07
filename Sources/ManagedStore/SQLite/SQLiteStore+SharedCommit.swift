/// Commits that share a transaction.
extension SQLiteStore {
    /// How many saves of other threads a transaction takes in.
    private static let mostJoined = 16
    /// How many transactions a thread commits for others, after which its own save returns.
    private static let longestTurn = 4

    /// Commits a save, alone or together with those of other threads.
    func commitInTurn(_ changes: ChangeSet) throws(StoreError) -> PermanentKeys {
        guard saves.accepts(changes) else { return try commitAlone(changes) }
        switch saves.turn(for: changes) {
        case .committed(let keys): return keys
        case .alone: return try commitAlone(changes)
        case .lead:
            defer { saves.endTurn() }
            return try pool.write { connection throws(StoreError) in
                let keys = try commit(changes, connection, joins: true)
                commitWaiting(connection)
                return keys
            }
        }
    }

    private func commitAlone(_ changes: ChangeSet) throws(StoreError) -> PermanentKeys {
        try pool.write { connection throws(StoreError) in try commit(changes, connection) }
    }

    /// Commits saves that wait, as many as a turn allows. One that fails is left to its own thread, which finds out why.
    private func commitWaiting(_ connection: Connection) {
        for _ in 0..<Self.longestTurn {
            guard let save = saves.next() else { return }
            do throws(StoreError) {
                // This thread's own save is done: it does not wait for other processes.
                let keys = try connection.withoutWaiting { () throws(StoreError) in
                    try commit(save.changes, connection, joins: true)
                }
                save.finish(.committed(keys))
            } catch {
                return save.finish(.alone)
            }
        }
    }

    /// Writes saves that wait in the transaction of another one.
    func join(_ joined: inout [JoinedSave], _ connection: Connection) throws(StoreError) {
        // What triggers change is reported for a whole transaction.
        if connection.hasTriggers { return }
        while joined.count < Self.mostJoined, let save = saves.next() {
            joined.append(JoinedSave(save: save))
            joined[joined.count - 1].keys = try writeWithinTransaction(save.changes, connection)
        }
    }

    /// Returns nil if the save cannot be written; the transaction is then as it was before.
    private func writeWithinTransaction(
        _ changes: ChangeSet, _ connection: Connection
    ) throws(StoreError) -> PermanentKeys? {
        try connection.savepoint { () throws(StoreError) in
            var writers: [RunWriter] = []
            var keys = try write(changes, &writers, false, connection)
            keys.sideEffects = SideEffects(entities: silentlyChanged)
            return keys
        }
    }
}

/// A save in the transaction of another one.
struct JoinedSave {
    let save: WaitingSave
    /// Nil if it could not be written.
    var keys: PermanentKeys?

    /// Tells its thread that the transaction was committed.
    func finish() { save.finish(keys.map { .committed($0) } ?? .alone) }
}
