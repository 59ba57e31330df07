import BenchHarness
import GRDB

extension GRDBSession: GettingSession {
    func get(_ ordinal: Int) throws -> any FetchedRecords {
        try queue.sync {
            FetchedArray(try parts.pool.read { try parts.method.read([RecordTable.key(ordinal)], in: $0) }, parts)
        }
    }
}

extension GRDBSession: PagingSession {
    func page(_ work: FetchWork, offset: Int) throws -> any FetchedRecords {
        try queue.sync {
            FetchedArray(try parts.pool.read { try parts.method.fetchPage(work, offset: offset, in: $0) }, parts)
        }
    }
}

extension GRDBSession: AggregatingSession {
    func aggregate(_ work: AggregateWork) throws -> [AggregatedGroup] {
        let (value, type) = try parts.table.value(work)
        let group = try work.groupBy.map { key in
            (value: SQL(sql: try parts.table.sortValue(key)).sqlExpression, type: try parts.table.type(of: key))
        }
        var request = try request(work.filter).select(value)
        if let group { request = request.annotated(with: group.value).group(group.value) }
        let rows = try queue.sync { try parts.pool.read { try Row.fetchAll($0, request) } }
        return rows.map { row in
            let key = group.map { FieldValue(row[1] as DatabaseValue, $0.type) }
            return AggregatedGroup(group: key ?? .null, value: FieldValue(row[0] as DatabaseValue, type))
        }
    }
}

extension RecordTable {
    /// Returns the expression of the value of a group's records, and its type.
    fileprivate func value(_ work: AggregateWork) throws -> (SQLExpression, FieldType) {
        guard let name = work.attribute else { return (SQL(sql: "COUNT(*)").sqlExpression, .int64) }
        let attribute = try attribute(name)
        let type = work.function == .average ? .double : entity.attributes[attribute].type
        return (work.function.expression(Column(columns[attribute])), type)
    }
}

extension AggregateWork.Function {
    fileprivate func expression(_ column: Column) -> SQLExpression {
        switch self {
        case .count: GRDB.count(column)
        case .sum: GRDB.sum(column)
        case .average: GRDB.average(column)
        case .minimum: GRDB.min(column)
        case .maximum: GRDB.max(column)
        }
    }
}
