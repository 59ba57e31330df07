import BenchHarness

extension PlainSession: GettingSession {
    func get(_ ordinal: Int) throws -> any FetchedRecords {
        try queue.sync { RecordArray(try technique.read([RecordTable.key(ordinal)], on: reading)) }
    }
}

extension PlainSession: PagingSession {
    func page(_ work: FetchWork, offset: Int) throws -> any FetchedRecords {
        try queue.sync { try technique.fetch(work, from: offset, on: reading, watch: nil) }
    }
}

extension PlainSession: AggregatingSession {
    func aggregate(_ work: AggregateWork) throws -> [AggregatedGroup] {
        try queue.sync {
            let table = file.table
            let filter = try Filter(work.filter, table: table)
            let attribute = try table.attribute(work.attribute)
            let group = try work.groupBy.map { try table.attribute($0) }
            var sql = "SELECT \(work.function.sql)(\(table.columns[attribute])), "
            sql += "\(group.map { table.columns[$0] } ?? "NULL") FROM \(table.name) WHERE \(filter.sql)"
            if let group { sql += " GROUP BY \(table.columns[group])" }
            let statement = try reading.prepare(sql)
            try statement.bind(filter.bindings)
            let type = work.function == .average ? .double : table.entity.attributes[attribute].type
            var groups: [AggregatedGroup] = []
            while try statement.step() {
                let key = group.map { FieldRecord.value(of: table.entity.attributes[$0].type, in: statement, 1) }
                groups.append(
                    AggregatedGroup(group: key ?? .null, value: FieldRecord.value(of: type, in: statement, 0)))
            }
            statement.didRead(groups.count)
            return groups
        }
    }
}

extension AggregateWork.Function {
    var sql: String {
        switch self {
        case .sum: "sum"
        case .average: "avg"
        case .minimum: "min"
        case .maximum: "max"
        }
    }
}
