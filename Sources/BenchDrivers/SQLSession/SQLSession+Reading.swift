import BenchHarness

extension SQLSession: GettingSession {
    func get(_ ordinal: Int) throws -> any FetchedRecords {
        try queue.sync { RecordArray(try technique.read([RecordTable.key(ordinal)], on: reading)) }
    }
}

extension SQLSession: PagingSession {
    func page(_ work: FetchWork, offset: Int) throws -> any FetchedRecords {
        try queue.sync { try technique.fetch(work, from: offset, on: reading, watch: nil) }
    }
}

extension SQLSession: AggregatingSession {
    func aggregate(_ work: AggregateWork) throws -> [AggregatedGroup] {
        try queue.sync {
            let attribute = try table.attribute(work.attribute)
            let group = try work.groupBy.map { try table.attribute($0) }
            let type = work.function == .average ? .double : table.entity.attributes[attribute].type
            let value = table.dialect.cast("\(work.function.sql)(\(table.columns[attribute]))", to: type)
            var parameters = SQLParameters(table.dialect)
            let condition = try table.condition(work.filter, &parameters)
            var sql = "SELECT \(value), \(group.map { table.columns[$0] } ?? "NULL")"
            sql += " FROM \(table.name) WHERE \(condition)"
            if let group { sql += " GROUP BY \(table.columns[group])" }
            var groups: [AggregatedGroup] = []
            try reading.read(SQLQuery(sql: sql, values: parameters.values), isKept: false) { row in
                let key = group.map { row.value(of: table.entity.attributes[$0].type, 1) }
                groups.append(AggregatedGroup(group: key ?? .null, value: row.value(of: type, 0)))
            }
            return groups
        }
    }
}

extension AggregateWork.Function {
    fileprivate var sql: String {
        switch self {
        case .sum: "sum"
        case .average: "avg"
        case .minimum: "min"
        case .maximum: "max"
        }
    }
}
