import BenchHarness
import DriverSupport

extension MemorySession: FetchingSession {
    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try queue.sync { () -> any FetchedRecords in
            let content = store.snapshot
            let query = try MemoryQuery(work, schema)
            guard let follow = work.follow else { return try query.rows(in: content) { _ in } }
            let records = try query.records(in: content) { _ in }
            return try RelationshipView(schema, in: content)
                .follow(records.map { NumberedRecord(number: $0.number, values: $0.values) }, follow)
        }
    }
}

extension MemorySession: AsynchronousFetchingSession {
    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let query = try MemoryQuery(work, schema)
        return try AsynchronousFetch(none: MemoryRows(), queue: queue, monitor: monitor).run { [store] progress in
            try query.rows(in: store.snapshot, progress: progress)
        }
    }
}

/// What a fetch asks for, made ready for many records.
struct MemoryQuery: Sendable {
    private let work: FetchWork
    private let schema: Schema
    private let limit: Int
    /// The attributes that are handed back.
    private let kept: [Int]

    init(_ work: FetchWork, _ schema: Schema) throws {
        let entity = schema.entity.record
        (self.work, self.schema) = (work, schema)
        limit = work.limit > 0 ? work.limit : .max
        kept = try entity.keeping(work.attributes).attributes.map { try entity.position(of: $0.name) }
    }

    /// Finds the rows, telling `progress` now and then how many records there are so far.
    func rows(in content: MemoryContent, progress: (Int) throws -> Void) throws -> MemoryRows {
        MemoryRows(
            rows: try records(in: content, progress: progress).map { record in kept.map { record.values[$0] } })
    }

    /// Finds the records.
    func records(in content: MemoryContent, progress: (Int) throws -> Void) throws -> ArraySlice<MemoryRecord> {
        let related = RelationshipView(schema, in: content)
        let (filter, order) = (try related.filter(work.filter), try related.order(work.sort))
        var found: [MemoryRecord] = []
        for record in content.records.values {
            guard filter?.matches({ record.values[$0] }, ordinal: record.ordinal) ?? true else { continue }
            found.append(record)
            if found.count.isMultiple(of: 1_024) { try progress(found.count) }
        }
        found.sort { order.areInIncreasingOrder($0.values, $1.values) }
        return found.prefix(limit)
    }
}

/// What a fetch found: the values of each record.
struct MemoryRows: FetchedRecords, Sendable {
    var rows: [[FieldValue]] = []

    var count: Int { rows.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for row in rows[positions] {
            for value in row { digester.add(value) }
            digester.endRecord()
        }
    }
}
