import BenchHarness

/// Plants values in a store on a server by SQL, through a connection of its own.
struct ServerPlanter: StorePlanter {
    let store: ServerStore

    func plant(_ values: PlantedValues) throws {
        let connection = try store.connectForUpkeep()
        try connection.transaction { try write(values, on: connection) }
        // The rows that were replaced are cleaned up now instead of during a phase.
        try connection.execute("VACUUM \(store.table.name)")
        connection.writePages()
    }

    private func write(_ values: PlantedValues, on connection: ServerConnection) throws {
        let table = store.table
        for (ordinal, record) in values.records {
            for (attribute, value) in record {
                var parameters = ServerValues()
                parameters.append(value, as: table.entity.attributes[attribute].type)
                parameters.append(RecordTable.key(ordinal))
                let sql = "UPDATE \(table.name) SET \(table.columns[attribute]) = $1 WHERE \"Z_PK\" = $2"
                guard try connection.run(sql, parameters).affected == 1 else {
                    throw DriverError(.corrupt, "\(table.name) has no row with key \(RecordTable.key(ordinal))")
                }
            }
        }
    }
}
