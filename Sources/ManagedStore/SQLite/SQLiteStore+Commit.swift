import CSQLite
import Foundation

extension SQLiteStore {
    func reserveKeys(_ count: Int, of entity: Int) throws(StoreError) -> Int64 {
        let table = tables[entity]
        return try pool.write { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                try Self.reserve(count, table, connection)
            }
        }
    }

    private static func reserve(
        _ count: Int, _ table: EntityTable, _ connection: Connection
    ) throws(StoreError) -> Int64 {
        if let first = try reserveAfterKnown(count, table, connection) { return first }
        let read = try connection.statement(.highestKey(entity: table.entityNumber)) {
            // Other tools may add rows without updating the highest key.
            let highestKey =
                table.isAdopted
                ? "MAX(IFNULL(CAST(Z_MAX AS INTEGER), 0), (SELECT IFNULL(MAX(Z_PK), 0) FROM \(table.name)))"
                : "Z_MAX"
            return "SELECT \(highestKey) FROM Z_PRIMARYKEY WHERE Z_ENT = ?"
        }
        read.bind(1, Int64(table.rootNumber))
        guard try read.step() else {
            throw StoreError(
                .incompatibleStore,
                "\(connection.path): Z_PRIMARYKEY has no row for \(table.name); restore the file from a copy")
        }
        let highest = max(read.int64(0), 0)
        read.reset()
        // The greatest possible key stays unused, so that the key after the last one is a number as well.
        guard highest < Int64.max - Int64(count) else {
            throw StoreError(
                .storeFailure,
                "\(connection.path): table \(table.name) has no keys left after \(highest), the highest one in "
                    + "Z_PRIMARYKEY or in the table; give a row with that key a lower Z_PK, and set Z_MAX to the "
                    + "highest Z_PK")
        }
        let write = try connection.statement(.setHighestKey) { "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?" }
        write.bind(1, highest + Int64(count))
        write.bind(2, Int64(table.rootNumber))
        try write.run()
        connection.highestKeys[table.rootNumber] = highest + Int64(count)
        return highest + 1
    }

    /// Reserves keys with one statement if no one else has reserved any since this connection did. Returns the first;
    /// nil otherwise.
    private static func reserveAfterKnown(
        _ count: Int, _ table: EntityTable, _ connection: Connection
    ) throws(StoreError) -> Int64? {
        guard !table.isAdopted, let highest = connection.highestKeys[table.rootNumber],
            highest < Int64.max - Int64(count)
        else { return nil }
        let write = try connection.statement(.raiseHighestKey) {
            "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ? AND Z_MAX = ?"
        }
        write.bind(1, highest + Int64(count))
        write.bind(2, Int64(table.rootNumber))
        write.bind(3, highest)
        try write.run()
        guard connection.changes > 0 else { return nil }
        connection.highestKeys[table.rootNumber] = highest + Int64(count)
        return highest + 1
    }

    func commit(_ changes: ChangeSet) throws(StoreError) -> PermanentKeys {
        let keys = try commitInTurn(changes)
        if let metadata = changes.metadata { didSave(metadata: metadata) }
        return keys
    }

    /// Commits a save in a transaction.
    ///
    /// - Parameter joined: Takes saves that wait and join the transaction; nil if none may.
    func commit(
        _ changes: ChangeSet, _ connection: Connection, joined: JoinedSaves? = nil
    ) throws(StoreError) -> PermanentKeys {
        do throws(StoreError) {
            return try attempt(changes, connection, joined)
        } catch {
            try explain(error, changes, connection)
        }
        do throws(StoreError) {
            // Rows that exchange values violate the constraint until all are written.
            return try attempt(changes, connection, defersConstraints: true, rebuildsIndexes: false)
        } catch {
            // Another process may have taken one of the values meanwhile.
            try explain(error, changes, connection)
            throw error
        }
    }

    /// Throws the conflicts for which a save broke a constraint. Returns if there are none.
    ///
    /// The transaction was rolled back, so the store is as it was before the save. What is based on outdated rows says
    /// nothing about values: its versions come first.
    private func explain(_ error: StoreError, _ changes: ChangeSet, _ connection: Connection) throws(StoreError) {
        guard error.code == .constraintConflict else { throw error }
        let conflicts = try constraintConflicts(changes, connection)
        // After the values: a commit between the two would show in the values, and not in the versions.
        let outdated = try outdated(changes, connection)
        if !outdated.isEmpty {
            connection.countConflicts(outdated.count)
            throw StoreError.conflict(outdated)
        }
        if !conflicts.isEmpty { throw StoreError.constraintConflict(conflicts) }
    }

    private func attempt(
        _ changes: ChangeSet, _ connection: Connection, _ joined: JoinedSaves?
    ) throws(StoreError) -> PermanentKeys {
        do throws(StoreError) {
            return try attempt(changes, connection, rebuildsIndexes: true, joined: joined)
        } catch {
            guard IndexRebuild.isCause(of: error) else { throw error }
            return try attempt(changes, connection, rebuildsIndexes: false)
        }
    }

    private func attempt(
        _ changes: ChangeSet, _ connection: Connection, defersConstraints: Bool = false, rebuildsIndexes: Bool,
        joined: JoinedSaves? = nil
    ) throws(StoreError) -> PermanentKeys {
        connection.reports.removeAll()
        do throws(StoreError) {
            var keys = try connection.transaction { () throws(StoreError) in
                guard defersConstraints else {
                    let keys = try write(changes, rebuildsIndexes, connection)
                    if let joined { try join(joined, connection) }
                    return keys
                }
                return try deferringConstraints(on: connection) { () throws(StoreError) in
                    try write(changes, rebuildsIndexes, connection)
                }
            }
            keys.sideEffects = sideEffects(connection)
            return keys
        } catch {
            if let joined, !joined.saves.isEmpty {
                // One of them may be the reason.
                joined.wereRolledBack()
                return try attempt(changes, connection, rebuildsIndexes: rebuildsIndexes)
            }
            guard error.code == .mergeConflict else { throw error }
            // The transaction was rolled back, so the store has the versions from before the save.
            let conflicts = error.conflicts.isEmpty ? try outdated(changes, connection) : error.conflicts
            // Every row has the expected version.
            if conflicts.isEmpty { throw connection.unwritten("changed or deleted rows") }
            connection.countConflicts(conflicts.count)
            throw StoreError.conflict(conflicts)
        }
    }

    private func outdated(_ changes: ChangeSet, _ connection: Connection) throws(StoreError) -> [MergeConflict] {
        try SavedVersions(schema: schema, reader: connection).conflicts(changes)
    }

    func write(
        _ changes: ChangeSet, _ rebuildsIndexes: Bool, _ connection: Connection
    ) throws(StoreError) -> PermanentKeys {
        let keys = try PermanentKeys(changes) { count, entity throws(StoreError) in
            try Self.reserve(count, tables[entity], connection)
        }
        let orders = SavedOrders(changes, keys, tables)
        var hasMismatch = false
        let rebuild =
            rebuildsIndexes
            ? try IndexRebuild(for: changes, tables, cacheSizeKiB: pool.cacheSizeKiB, on: connection) : nil
        for index in changes.entities.indices where !changes.entities[index].isEmpty {
            let entity = changes.entities[index]
            // New rows come last: they may need unique values that other rows give up.
            if !entity.deletes.isEmpty || !entity.updates.isEmpty {
                let writer = RunWriter(entity: index, schema, connection)
                try writer.delete(entity.deletes)
                try writer.update(entity.updates, keys)
                hasMismatch = hasMismatch || writer.hasMismatch
            }
            if !entity.inserts.isEmpty {
                let inserter = RowInserter(
                    entity: index, schema, connection, keys: keys, orders: orders.rows(of: index).columns)
                try inserter.insert(entity.inserts)
            }
            connection.countRows(entity.inserts.count + entity.updates.count + entity.deletes.count)
        }
        if hasMismatch { throw StoreError(.mergeConflict, "versions differ") }
        try rebuild?.finish(on: connection)
        try writeRelationships(changes, orders.changes, keys, connection)
        try checkStrangers(changes, connection)
        if let metadata = changes.metadata { try Self.write(metadata, connection) }
        return keys
    }

    private static func write(_ metadata: [String: StoredValue], _ connection: Connection) throws(StoreError) {
        try setPlist(try StoreMetadata.encode(metadata, over: try plist(connection)), connection)
    }
}
