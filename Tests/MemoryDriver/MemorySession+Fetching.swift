import BenchHarness
import DriverSupport

extension MemorySession: FetchingSession {
    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try queue.sync { try MemoryQuery(work, generator).rows(in: store.snapshot) { _ in } }
    }
}

extension MemorySession: AsynchronousFetchingSession {
    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let query = try MemoryQuery(work, generator)
        return try AsynchronousFetch(none: MemoryRows(), queue: queue, monitor: monitor).run { [store] progress in
            try query.rows(in: store.snapshot, progress: progress)
        }
    }
}

/// What a fetch asks for, made ready for many records.
struct MemoryQuery: Sendable {
    private let entity: EntitySpec
    private let filter: RecordFilter?
    private let order: RecordOrder
    private let limit: Int
    /// The attributes that are handed back.
    private let kept: [Int]
    private let follow: FollowSpec?

    init(_ work: FetchWork, _ generator: RecordGenerator) throws {
        let entity = generator.entity
        self.entity = entity
        filter = work.filter.map { RecordFilter($0, entity: entity, owners: generator.owners) }
        order = try RecordOrder(work.sort, of: entity, owners: generator.owners)
        limit = work.limit > 0 ? work.limit : .max
        kept = try entity.keeping(work.attributes).attributes.map { try entity.position(of: $0.name) }
        follow = work.follow
    }

    /// Finds the rows, telling `progress` now and then how many records there are so far.
    func rows(in content: MemoryContent, progress: (Int) throws -> Void) throws -> MemoryRows {
        if let follow, follow.leadsToRecords(of: entity) { return owners(in: content) }
        var found: [MemoryRecord] = []
        for record in content.records.values where filter?.matches({ record.values[$0] }) ?? true {
            found.append(record)
            if found.count.isMultiple(of: 1_024) { try progress(found.count) }
        }
        found.sort { order.areInIncreasingOrder($0.values, $1.values) }
        return MemoryRows(rows: found.prefix(limit).map { row($0, in: content) })
    }

    private func row(_ record: MemoryRecord, in content: MemoryContent) -> MemoryRows.Row {
        var values = kept.map { record.values[$0] }
        if follow != nil, case .int64(let number)? = record.values.last { values += content.owners[Int(number) - 1] }
        return MemoryRows.Row(values: values)
    }

    /// Every owner, with its records.
    private func owners(in content: MemoryContent) -> MemoryRows {
        var owned = content.owners.map { _ in [MemoryRecord]() }
        for record in content.records.values {
            if case .int64(let number)? = record.values.last { owned[Int(number) - 1].append(record) }
        }
        let rows = content.owners.indices.map { place in
            MemoryRows.Row(values: content.owners[place], owner: (Int64(place) + 1, owned[place]))
        }
        return MemoryRows(rows: rows)
    }
}

/// What a fetch found.
struct MemoryRows: FetchedRecords, Sendable {
    struct Row: Sendable {
        let values: [FieldValue]
        /// The number of an owner and its records, where it is owners that are fetched.
        var owner: (number: Int64, records: [MemoryRecord])?
    }

    var rows: [Row] = []

    var count: Int { rows.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for row in rows[positions] {
            if let owner = row.owner {
                digester.addOwner(owner.number) {
                    for value in row.values { $0.add(value) }
                } records: {
                    for record in owner.records {
                        record.digest(into: &$0)
                        $0.endRecord()
                    }
                }
            } else {
                for value in row.values { digester.add(value) }
                digester.endRecord()
            }
        }
    }
}
