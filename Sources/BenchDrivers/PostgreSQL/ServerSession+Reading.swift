import BenchHarness

extension ServerSession: GettingSession {
    func get(_ ordinal: Int) throws -> any FetchedRecords {
        try queue.sync { RecordArray(try technique.read([RecordTable.key(ordinal)], on: reading)) }
    }
}

extension ServerSession: PagingSession {
    func page(_ work: FetchWork, offset: Int) throws -> any FetchedRecords {
        try queue.sync { try technique.fetch(work, from: offset, on: reading, watch: nil) }
    }
}

extension ServerSession: AggregatingSession {
    func aggregate(_ work: AggregateWork) throws -> [AggregatedGroup] {
        try queue.sync {
            let filter = try ServerFilter(work.filter, table: table)
            let attribute = try table.attribute(work.attribute)
            let group = try work.groupBy.map { try table.attribute($0) }
            let type = work.function == .average ? .double : table.entity.attributes[attribute].type
            // The server adds integers to a number of any length.
            var sql = "SELECT \(work.function.sql)(\(table.columns[attribute]))::\(ServerType(type).name)"
            if let group { sql += ", \(table.columns[group])" }
            sql += " FROM \(table.name) WHERE \(filter.sql)"
            if let group { sql += " GROUP BY \(table.columns[group])" }
            var groups: [AggregatedGroup] = []
            try reading.stream(sql, filter.values) { row in
                let key = group.map { row.value(of: table.entity.attributes[$0].type, 1) }
                groups.append(AggregatedGroup(group: key ?? .null, value: row.value(of: type, 0)))
            }
            reading.didRead(groups.count)
            return groups
        }
    }
}
