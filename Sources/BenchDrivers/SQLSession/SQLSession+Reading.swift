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
            let (value, type) = try table.value(work)
            let group = try work.groupBy.map { (value: try table.sortValue($0), type: try table.type(of: $0)) }
            let join = try table.join(work.groupBy.map { [SortSpec(key: $0)] } ?? [])
            var parameters = SQLParameters(table.dialect)
            let condition = try table.condition(work.filter, &parameters)
            var sql = "SELECT \(value), \(group?.value ?? "NULL") FROM \(table.name)\(join) WHERE \(condition)"
            if let group { sql += " GROUP BY \(group.value)" }
            var groups: [AggregatedGroup] = []
            try reading.read(SQLQuery(sql: sql, values: parameters.values), isKept: false) { row in
                let key = group.map { row.value(of: $0.type, 1) }
                groups.append(AggregatedGroup(group: key ?? .null, value: row.value(of: type, 0)))
            }
            return groups
        }
    }
}

extension RecordTable {
    /// Returns the expression of the value of a group's records, and its type.
    fileprivate func value(_ work: AggregateWork) throws -> (String, FieldType) {
        guard let name = work.attribute else { return ("\(work.function.sql)(*)", .int64) }
        let attribute = try attribute(name)
        let type = work.function == .average ? .double : entity.attributes[attribute].type
        return (dialect.cast("\(work.function.sql)(\(columns[attribute]))", to: type), type)
    }
}

extension AggregateWork.Function {
    fileprivate var sql: String {
        switch self {
        case .count: "count"
        case .sum: "sum"
        case .average: "avg"
        case .minimum: "min"
        case .maximum: "max"
        }
    }
}
