/// Adds the parts of a newer model to a file, all or none, in the transaction that opens the store.
///
/// Rows stay in place and keep their versions; entities keep their numbers. A migration never removes a column, row or
/// table.
enum Migration {
    static func run(_ additions: [SchemaAddition], on connection: Connection, _ file: FileSchema) throws(StoreError) {
        try run(additions.flatMap(\.statements), on: connection) { () throws(StoreError) in
            // Core Data's cached model describes the file before the migration.
            if file.tables["Z_MODELCACHE"] != nil { try connection.execute("DELETE FROM Z_MODELCACHE") }
        }
    }

    /// Fills in the defaults of attributes that have become required.
    static func fill(_ defaults: RequiredDefaults, on connection: Connection) throws(StoreError) {
        if defaults.areNoted { return }
        try run(defaults.filling, on: connection) { () throws(StoreError) in
            let plist = try StoreMetadata.noting(required: defaults.names, in: try SQLiteStore.plist(connection))
            try SQLiteStore.setPlist(plist, connection)
        }
    }

    private static func run(
        _ statements: [SQLFragment], on connection: Connection, _ finish: () throws(StoreError) -> Void
    ) throws(StoreError) {
        do throws(StoreError) {
            for fragment in statements {
                let statement = try connection.statement(fragment.sql)
                for (index, value) in fragment.bindings.enumerated() { statement.bind(Int32(index + 1), value) }
                try statement.run()
            }
            try finish()
        } catch {
            throw StoreError(
                error.code,
                "\(connection.path) could not be migrated to the model and was left as it is: \(error.message)",
                sql: error.sql, storeCode: error.storeCode)
        }
    }
}
