import BenchHarness

/// Plants values in a store by SQL, through a connection of its own.
struct RecordPlanter<Database: SQLDatabase>: StorePlanter {
    let database: Database

    func plant(_ values: PlantedValues) throws {
        let connection = try database.connectForUpkeep()
        try connection.transaction { try write(values, on: connection) }
        try database.settle(on: connection)
        try connection.close()
    }

    private func write(_ values: PlantedValues, on connection: Database.Connection) throws {
        let table = database.table
        for (ordinal, record) in values.records {
            for (attribute, value) in record {
                let statement = try connection.statement(
                    "UPDATE \(table.name) SET \(table.columns[attribute]) = $1 WHERE \(table.key) = $2")
                let affected = try connection.run(statement) { parameters in
                    try parameters.append(value, as: table.entity.attributes[attribute].type)
                    try parameters.append(RecordTable.key(ordinal))
                }
                guard affected == 1 else {
                    throw DriverError(.corrupt, "\(table.name) has no row with key \(RecordTable.key(ordinal))")
                }
            }
        }
    }
}
