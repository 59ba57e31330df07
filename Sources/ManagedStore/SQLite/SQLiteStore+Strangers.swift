/// References to deleted rows that the model does not know.
extension SQLiteStore {
    private static let keysPerQuery = 500

    /// Call this at the end of a transaction that deleted rows: rows that referred to each other may all be deleted.
    ///
    /// - Throws: `StoreError` with `validationRelationshipDeniedDelete` if a row of the file still refers to a deleted
    ///   one.
    func checkStrangers(_ changes: ChangeSet, _ connection: Connection) throws(StoreError) {
        for entity in tables.indices where !tables[entity].strangers.isEmpty {
            let table = tables[entity]
            let keys = changes.entities[entity].deletes.map(\.row.key)
            if let (key, reference) = try stranger(keys, of: table, connection) { throw refusal(table, key, reference) }
        }
    }

    /// Returns the first column by which rows refer to some of the rows of a table, which are deleted or about to be,
    /// and the key of one of those.
    private func stranger(
        _ keys: [Int64], of table: EntityTable, _ connection: Connection
    ) throws(StoreError) -> (key: Int64, reference: StrangerReference)? {
        if keys.isEmpty { return nil }
        for reference in table.strangers {
            guard let key = try reference.firstKey(of: keys, Self.keysPerQuery, connection) else { continue }
            if reference.isGuess, try !reference.leads(to: table, without: Set(keys), connection) { continue }
            return (key, reference)
        }
        return nil
    }

    /// Returns the column by which rows refer to some objects although the model lacks the relationship, as
    /// `ZTASK.ZNOTE`; nil if none do.
    fileprivate func stranger(of ids: [ManagedObjectID]) throws(StoreError) -> String? {
        for table in tables where !table.strangers.isEmpty {
            let keys = ids.filter { $0.source === table.source }.map(\.key)
            let found = try pool.read { connection throws(StoreError) in try stranger(keys, of: table, connection) }
            if let found { return "\(found.reference.table).\(found.reference.column)" }
        }
        return nil
    }

    private func refusal(_ table: EntityTable, _ key: Int64, _ reference: StrangerReference) -> StoreError {
        let id = ManagedObjectID(source: table.source, key: key)
        return StoreError(
            .validationRelationshipDeniedDelete,
            "\(id) cannot be deleted: rows of table \(reference.table) refer to it by \(reference.column), and the "
                + "model lacks "
                + "these rows or the relationship; add the relationship of that column to the model",
            objectID: id)
    }
}

extension StrangerReference {
    /// Returns the first of `keys` that rows refer to.
    fileprivate func firstKey(
        of keys: [Int64], _ limit: Int, _ connection: Connection
    ) throws(StoreError) -> Int64? {
        for start in stride(from: 0, to: keys.count, by: limit) {
            let list = keys[start..<min(start + limit, keys.count)].map(String.init).joined(separator: ", ")
            let also = condition.map { " AND \($0)" } ?? ""
            let row = try connection.statement(
                "SELECT \(column) FROM \(table) WHERE \(column) IN (\(list))\(also) LIMIT 1")
            defer { row.reset() }
            if try row.step() { return row.int64(0) }
        }
        return nil
    }

    /// Whether all values of the column are keys of the rows of `target` or of the `deleted` ones.
    fileprivate func leads(
        to target: EntityTable, without deleted: Set<Int64>, _ connection: Connection
    ) throws(StoreError) -> Bool {
        let row = try connection.statement(
            "SELECT DISTINCT \(column) FROM \(table) WHERE \(column) IS NOT NULL AND \(column) NOT IN "
                + "(SELECT Z_PK FROM \(target.name) WHERE Z_ENT = \(target.entityNumber))")
        defer { row.reset() }
        while try row.step() {
            if !deleted.contains(row.int64(0)) { return false }
        }
        return true
    }
}

extension PersistentStoreCoordinator {
    /// Returns the column because of which objects cannot be deleted, as `ZTASK.ZNOTE`: rows refer to them by it, and
    /// the model lacks the relationship. Nil if there is none.
    package func columnKeeping(_ ids: [ManagedObjectID]) throws(StoreError) -> String? {
        guard let store = try requireStore() as? SQLiteStore else { return nil }
        return try store.stranger(of: ids)
    }
}
