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
        let (table, entity) = (parts.table, parts.table.entity)
        let attribute = try table.attribute(work.attribute)
        let group = try work.groupBy.map { try table.attribute($0) }
        let value = work.function.expression(Column(table.columns[attribute]))
        var request = try request(work.filter).select(value)
        if let group {
            let column = Column(table.columns[group])
            request = request.annotated(with: column).group(column)
        }
        let rows = try queue.sync { try parts.pool.read { try Row.fetchAll($0, request) } }
        let type = work.function == .average ? .double : entity.attributes[attribute].type
        return rows.map { row in
            let key = group.map { FieldValue(row[1] as DatabaseValue, entity.attributes[$0].type) }
            return AggregatedGroup(group: key ?? .null, value: FieldValue(row[0] as DatabaseValue, type))
        }
    }
}

extension AggregateWork.Function {
    fileprivate func expression(_ column: Column) -> SQLExpression {
        switch self {
        case .sum: GRDB.sum(column)
        case .average: GRDB.average(column)
        case .minimum: GRDB.min(column)
        case .maximum: GRDB.max(column)
        }
    }
}
