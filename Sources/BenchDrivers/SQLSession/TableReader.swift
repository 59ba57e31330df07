import BenchHarness

/// Reads the tables of a store for verification, through a connection that no session has.
struct TableReader<Connection: SQLConnection> {
    /// The table of the records that a phase is about.
    let table: RecordTable
    let connection: Connection

    /// Feeds every record to `scan`, with its attributes in the entity's order and its version; then every record of
    /// other entities with its number, the orders that relationships keep, and the pairs.
    func scan(into scan: inout StoreScan) throws {
        try forEachRow(of: table, into: &scan) { row, scan in
            scan.endRecord(version: row.isNull(1) ? nil : Int(row.int64(1)))
        }
        for other in table.otherTables {
            let hasNumbers = other.schema.hasNumbers(other.schema.focus)
            try forEachRow(of: other, into: &scan) { row, scan in
                if hasNumbers { scan.values.add(row.int64(0)) }
                scan.endOwner()
            }
        }
        for var order in table.all.flatMap(\.orderScans) {
            try read(order.selection) { order.feed($0.int64(0), $0.int64(1), to: &scan) }
            order.end(&scan)
        }
        for link in table.allLinks {
            try read(link.selection) { link.feed($0.int64(0), $0.int64(1), to: &scan) }
        }
    }

    /// Feeds the attributes of each row of a table; `end` ends the row.
    private func forEachRow(
        of table: RecordTable, into scan: inout StoreScan, end: (Connection.Row, inout StoreScan) -> Void
    ) throws {
        let attributes = table.entity.attributes
        try read("SELECT \(table.selectList) FROM \(table.name)") { row in
            for (index, attribute) in attributes.enumerated() {
                try add(attribute, of: row, RecordTable.column(of: index), to: &scan.values)
            }
            end(row, &scan)
        }
    }

    private func read(_ sql: String, _ body: (Connection.Row) throws -> Void) throws {
        try connection.read(SQLQuery(sql: sql), isKept: false, row: body)
    }

    private func add(
        _ attribute: AttributeSpec, of row: Connection.Row, _ column: Int, to digester: inout RecordDigester
    ) throws {
        if row.isNull(column) { return digester.addNull() }
        guard row.isStored(as: attribute.type, column) else {
            throw DriverError(
                .corrupt,
                "\(attribute.name) of the row with key \(row.int64(0)) is not stored as a \(attribute.type.rawValue)")
        }
        switch attribute.type {
        case .string: digester.add(utf8: row.utf8(column))
        case .data: digester.add(data: row.blob(column))
        case .bool: digester.add(row.bool(column))
        case .int64: digester.add(row.int64(column))
        case .date, .double: digester.add(row.double(column))
        }
    }

    /// Hands over every record with its version.
    func forEachRecord(_ body: (StoredRecord) -> Void) throws {
        try read("SELECT \(table.selectList) FROM \(table.name)") { row in
            let record = FieldRecord(row: row, of: table)
            body(StoredRecord(values: record.values, version: Int(record.version)))
        }
    }

    /// Returns the errors in the versions and keys of a table's rows.
    ///
    /// - Parameter keepsLastKeys: Whether there is a table of the largest keys.
    func keyFindings(_ table: RecordTable, keepsLastKeys: Bool) throws -> [String] {
        var findings: [String] = []
        let (name, key, version) = (table.name, table.key, table.version)
        let unversioned = try integer("SELECT count(*) FROM \(name) WHERE \(version) IS NULL OR \(version) < 1")
        if unversioned > 0 { findings.append("\(unversioned) rows of \(name) have no version") }
        guard keepsLastKeys else { return findings }
        let largest = try integer("SELECT COALESCE(max(\(key)), 0) FROM \(name)")
        let identifier = table.dialect.identifier
        let reserved = try integer(
            "SELECT \(identifier("Z_MAX")) FROM \(identifier("Z_PRIMARYKEY")) WHERE \(identifier("Z_NAME")) = $1",
            table.entity.name)
        if reserved < largest { findings.append("Z_MAX is \(reserved), but \(name) has the key \(largest)") }
        return findings
    }

    private func integer(_ sql: String, _ text: String? = nil) throws -> Int64 {
        let values = text.map { [SQLValue(value: .string($0), type: .string)] } ?? []
        return try connection.integer(SQLQuery(sql: sql, values: values)) ?? 0
    }

    /// Returns the indexes that a table lacks, and those that it has besides: both change the work of a driver.
    ///
    /// - Parameter query: Finds the first columns of its indexes; its parameter is the name of the table.
    func indexFindings(_ table: RecordTable, _ query: String) throws -> [String] {
        var found: [String] = []
        let name = SQLValue(value: .string(table.plainName), type: .string)
        try connection.read(SQLQuery(sql: query, values: [name]), isKept: false) { found.append($0.string(0)) }
        let wanted = table.indexedColumns.sorted()
        return wanted.filter { !found.contains($0) }.map { "\(table.name) has no index of \($0)" }
            + found.sorted().filter { !wanted.contains($0) }.map {
                "\(table.name) has an index of \($0), which the scenario does not ask for"
            }
    }
}

extension StoreInspector {
    /// Feeds the values alone, without the versions.
    func scanValues(into digester: inout RecordDigester) throws {
        var scan = StoreScan()
        scan.values = digester
        try self.scan(into: &scan)
        digester = scan.values
    }
}
