import Foundation

extension PostgreSQLStore {
    func reserveKeys(_ count: Int, of entity: Int) throws(StoreError) -> Int64 {
        try keys.take(count, of: entity)
    }

    func commit(_ changes: ChangeSet) throws(StoreError) -> PermanentKeys {
        let keys = try PermanentKeys(changes, reserveKeys(_:of:))
        try attempt(changes, keys)
        if let metadata = changes.metadata { didSave(metadata: metadata) }
        return keys
    }

    private func attempt(_ changes: ChangeSet, _ keys: PermanentKeys) throws(StoreError) {
        do throws(StoreError) {
            try attempt(changes, keys, exchangesValues: false)
            return
        } catch {
            try explain(error, changes)
        }
        do throws(StoreError) {
            // Rows that exchange values violate the constraint until all are written.
            try attempt(changes, keys, exchangesValues: true)
        } catch {
            // Another writer may have taken one of the values meanwhile.
            try explain(error, changes)
            throw error
        }
    }

    /// Throws the conflicts for which a save broke a constraint. Returns if there are none.
    ///
    /// The transaction was rolled back, so the store is as it was before the save. What is based on outdated rows says
    /// nothing about values: its versions come first.
    private func explain(_ error: StoreError, _ changes: ChangeSet) throws(StoreError) {
        guard error.code == .constraintConflict else { throw error }
        try pool.use { connection throws(StoreError) in
            let conflicts = try constraintConflicts(changes, connection)
            // After the values: a commit between the two would show in the values, and not in the versions.
            let outdated = try outdated(changes, connection)
            if !outdated.isEmpty {
                connection.countConflicts(outdated.count)
                throw StoreError.conflict(outdated)
            }
            if !conflicts.isEmpty { throw StoreError.constraintConflict(conflicts) }
        }
    }

    private func attempt(
        _ changes: ChangeSet, _ keys: PermanentKeys, exchangesValues: Bool
    ) throws(StoreError) {
        let canDefer = dialect.abilities.contains(.deferrableConstraints)
        do throws(StoreError) {
            try pool.transaction { connection throws(StoreError) in
                if exchangesValues, canDefer { try connection.execute("SET CONSTRAINTS ALL DEFERRED") }
                try write(changes, keys, connection, exchangesValues: exchangesValues && !canDefer)
            }
        } catch {
            guard error.code == .mergeConflict else { throw error }
            throw try conflict(error, changes)
        }
    }

    /// Returns the error for a transaction that was rolled back because rows differ from the expectation.
    private func conflict(_ error: StoreError, _ changes: ChangeSet) throws(StoreError) -> StoreError {
        try pool.use { connection throws(StoreError) in
            let conflicts = error.conflicts.isEmpty ? try outdated(changes, connection) : error.conflicts
            if conflicts.isEmpty { return connection.unwritten("changed or deleted rows") }
            connection.countConflicts(conflicts.count)
            return StoreError.conflict(conflicts)
        }
    }

    private func outdated(
        _ changes: ChangeSet, _ connection: PostgreSQLConnection
    ) throws(StoreError) -> [MergeConflict] {
        let reader = PostgreSQLKeyedReader(connection: connection, dialect: dialect)
        return try SavedVersions(schema: schema, reader: reader).conflicts(changes)
    }

    private func write(
        _ changes: ChangeSet, _ keys: PermanentKeys, _ connection: PostgreSQLConnection, exchangesValues: Bool
    ) throws(StoreError) {
        var writers = tables.map { PostgreSQLWriter($0, connection, dialect, keys, schema.numbers) }
        let orders = SavedOrders(changes, keys, tables)
        // New rows come last: they may need unique values that other rows give up.
        for (index, entity) in changes.entities.enumerated() {
            if !entity.deletes.isEmpty { try writers[index].delete(entity.deletes) }
            if exchangesValues { try writers[index].giveUpUniqueValues(entity.updates) }
        }
        for (index, entity) in changes.entities.enumerated() {
            if !entity.updates.isEmpty { try writers[index].update(entity.updates) }
        }
        for (index, entity) in changes.entities.enumerated() {
            if !entity.inserts.isEmpty { try writers[index].insert(entity.inserts, orders.rows(of: index)) }
        }
        if writers.contains(where: \.hasMismatch) { throw StoreError(.mergeConflict, "versions differ") }
        try writeRelationships(changes, orders.changes, keys, connection)
        if let metadata = changes.metadata { try write(metadata, connection) }
        try tell((changes, keys), connection)
    }

    private func write(_ metadata: [String: StoredValue], _ connection: PostgreSQLConnection) throws(StoreError) {
        let old = try connection.query("SELECT \"Z_PLIST\" FROM \"Z_METADATA\" FOR UPDATE")
        let before = old.count > 0 ? old[0].bytes(0).map { Data($0) } : nil
        let plist = try StoreMetadata.encode(metadata, over: before, type: .postgreSQL)
        _ = try connection.query(
            SQLFragment(sql: "UPDATE \"Z_METADATA\" SET \"Z_PLIST\" = ?", bindings: [.binaryData(plist)]), dialect)
    }

    /// Returns the conflicts between rows of a save and other rows.
    private func constraintConflicts(
        _ changes: ChangeSet, _ connection: PostgreSQLConnection
    ) throws(StoreError) -> [ConstraintConflict] {
        var conflicts: [ConstraintConflict] = []
        for claims in ConstraintClaims.all(changes, sources) {
            conflicts += claims.conflicts(try holders(claims, connection))
        }
        return conflicts
    }

    /// Returns the stored objects that have values which the save claims, and keep them.
    private func holders(
        _ claims: ConstraintClaims, _ connection: PostgreSQLConnection
    ) throws(StoreError) -> [ConstraintKey: ManagedObjectID] {
        let table = tables[claims.source.entityIndex]
        let conditions = claims.constraint.positions.map { "\(dialect.identifier(table.columns[$0])) = ?" }
            .joined(separator: " AND ")
        let sql = "SELECT \"Z_PK\", \"Z_ENT\" FROM \(dialect.identifier(table.name)) WHERE \(conditions)"
        var holders: [ConstraintKey: ManagedObjectID] = [:]
        for key in claims.keys {
            guard let row = claims.claimant(key) else { continue }
            let values = claims.constraint.fields.map { row.value($0) }
            let found = try connection.query(SQLFragment(sql: sql, bindings: values), dialect)
            for index in 0..<found.count {
                let (stored, number) = (found[index].int64(0), Int(found[index].int64(1)))
                if claims.leaving.contains(stored) { continue }
                let source = tables.first { $0.entityNumber == number }?.source ?? claims.source
                holders[key] = ManagedObjectID(source: source, key: stored)
            }
        }
        return holders
    }
}
