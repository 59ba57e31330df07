import BenchHarness

/// Plants values in a store file by SQL, through a connection of its own.
struct RecordFilePlanter: StorePlanter {
    private let file: RecordFile

    init(_ configuration: StoreConfiguration) { file = RecordFile(configuration) }

    func plant(_ values: PlantedValues) throws {
        let connection = try file.connect()
        try connection.transaction { try write(values, on: connection) }
        try file.checkpoint(on: connection)
        try connection.close()
    }

    private func write(_ values: PlantedValues, on connection: PlainConnection) throws {
        let table = file.table
        let statements = try table.columns.map {
            try connection.prepare("UPDATE \(table.name) SET \($0) = ? WHERE Z_PK = ?")
        }
        for (ordinal, record) in values.records {
            for (attribute, value) in record {
                try statements[attribute].bind([value, .int64(RecordTable.key(ordinal))])
                try statements[attribute].run()
                guard connection.changes == 1 else {
                    throw DriverError(.corrupt, "\(table.name) has no row with key \(RecordTable.key(ordinal))")
                }
            }
        }
    }
}
