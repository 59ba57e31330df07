import BenchHarness
import DriverSupport

extension MemorySession: GettingSession {
    func get(_ ordinal: Int) -> any FetchedRecords {
        queue.sync {
            let record = store.snapshot.records[ordinal]
            return MemoryRows(rows: record.map { [$0.values] } ?? [])
        }
    }
}

extension MemorySession: PagingSession {
    func page(_ work: FetchWork, offset: Int) throws -> any FetchedRecords {
        var whole = work
        whole.limit = 0
        let query = try MemoryQuery(whole, schema)
        return try queue.sync {
            MemoryRows(
                rows: Array(try query.rows(in: store.snapshot) { _ in }.rows.dropFirst(offset).prefix(work.limit)))
        }
    }
}

extension MemorySession: AggregatingSession {
    func aggregate(_ work: AggregateWork) throws -> [AggregatedGroup] {
        let attribute = try work.attribute.map { try entity.position(of: $0) }
        let (records, group) = try queue.sync {
            let related = RelationshipView(schema, in: store.snapshot)
            return (try matching(work.filter), try work.groupBy.map { try related.reader(of: $0) })
        }
        let groups = group.map { group in Dictionary(grouping: records) { group($0.values) } } ?? [.null: records]
        return groups.map { key, records in
            AggregatedGroup(group: key, value: work.function.value(of: records, attribute))
        }
    }
}

extension AggregateWork.Function {
    fileprivate func value(of records: [MemoryRecord], _ attribute: Int?) -> FieldValue {
        let values = records.map { record in attribute.map { record.values[$0] } ?? .null }.filter { $0 != .null }
        let numbers = values.map(\.number)
        switch (self, values.first) {
        case (.count, _): return .int64(Int64(records.count))
        case (_, nil): return .null
        case (.sum, .int64): return .int64(Int64(numbers.reduce(0, +)))
        case (.sum, _): return .double(numbers.reduce(0, +))
        case (.average, _): return .double(numbers.reduce(0, +) / Double(numbers.count))
        case (.minimum, _): return values.min { $0.number < $1.number } ?? .null
        case (.maximum, _): return values.max { $0.number < $1.number } ?? .null
        }
    }
}

extension FieldValue {
    fileprivate var number: Double {
        switch self {
        case .int64(let value): Double(value)
        case .double(let value), .date(let value): value
        case .null, .string, .bool, .data: 0
        }
    }
}
