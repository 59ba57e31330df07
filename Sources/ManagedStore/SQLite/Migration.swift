/// Adds to a file what a newer model has, within the transaction in which the store is opened: all of it, or nothing.
///
/// Rows stay where they are and keep their versions, entities keep their numbers. No column, row or table is ever
/// removed.
enum Migration {
    static func run(_ additions: [SchemaAddition], on connection: Connection, _ file: FileSchema) throws(StoreError) {
        do throws(StoreError) {
            for fragment in additions.flatMap(\.statements) {
                let statement = try connection.statement(fragment.sql)
                for (index, value) in fragment.bindings.enumerated() { statement.bind(Int32(index + 1), value) }
                try statement.run()
            }
            // What Core Data keeps here to migrate from describes a model that the file no longer has.
            if file.tables["Z_MODELCACHE"] != nil { try connection.execute("DELETE FROM Z_MODELCACHE") }
        } catch {
            throw StoreError(
                error.code,
                "\(connection.path) could not be migrated to the model and was left as it is: \(error.message)",
                sql: error.sql, storeCode: error.storeCode)
        }
    }
}
