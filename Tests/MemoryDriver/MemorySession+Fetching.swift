import BenchHarness
import DriverSupport

extension MemorySession: FetchingSession {
    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try queue.sync { () -> any FetchedRecords in
            let (query, content) = (try MemoryQuery(work, related), store.snapshot)
            if let follow = work.follow, !entities.others.isEmpty {
                let records = try query.records(in: content) { _ in }
                return try RelationshipView(entities, in: content)
                    .follow(records.map { NumberedRecord(number: $0.number, values: $0.values) }, follow)
            }
            return try query.rows(in: content) { _ in }
        }
    }
}

extension MemorySession: AsynchronousFetchingSession {
    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        let query = try MemoryQuery(work, related)
        return try AsynchronousFetch(none: MemoryRows(), queue: queue, monitor: monitor).run { [store] progress in
            try query.rows(in: store.snapshot, progress: progress)
        }
    }
}

/// Looks through the relationships of an entity: to owners, or to records of other entities.
struct MemoryRelated: Sendable {
    let entities: RelatedEntities
    let generator: RecordGenerator

    func filter(_ filter: FilterSpec?, in content: MemoryContent) throws -> RecordFilter? {
        guard let owners = generator.owners else { return try RelationshipView(entities, in: content).filter(filter) }
        return filter.map { RecordFilter($0, entity: entities.entity, owners: owners) }
    }

    func order(_ sort: [SortSpec], in content: MemoryContent) throws -> RecordOrder {
        guard let owners = generator.owners else { return try RelationshipView(entities, in: content).order(sort) }
        return try RecordOrder(sort, of: entities.entity, owners: owners)
    }
}

/// What a fetch asks for, made ready for many records.
struct MemoryQuery: Sendable {
    private let work: FetchWork
    private let related: MemoryRelated
    private let limit: Int
    /// The attributes that are handed back.
    private let kept: [Int]
    private var follow: FollowSpec? { work.follow }

    init(_ work: FetchWork, _ related: MemoryRelated) throws {
        let entity = related.entities.entity
        (self.work, self.related) = (work, related)
        limit = work.limit > 0 ? work.limit : .max
        kept = try entity.keeping(work.attributes).attributes.map { try entity.position(of: $0.name) }
    }

    /// Finds the rows, telling `progress` now and then how many records there are so far.
    func rows(in content: MemoryContent, progress: (Int) throws -> Void) throws -> MemoryRows {
        if let follow, follow.leadsToRecords(of: related.entities.entity) { return owners(in: content) }
        return MemoryRows(rows: try records(in: content, progress: progress).map { row($0, in: content) })
    }

    /// Finds the records.
    func records(in content: MemoryContent, progress: (Int) throws -> Void) throws -> ArraySlice<MemoryRecord> {
        let (filter, order) = (
            try related.filter(work.filter, in: content), try related.order(work.sort, in: content)
        )
        var found: [MemoryRecord] = []
        for record in content.records.values {
            guard filter?.matches({ record.values[$0] }, ordinal: record.ordinal) ?? true else { continue }
            found.append(record)
            if found.count.isMultiple(of: 1_024) { try progress(found.count) }
        }
        found.sort { order.areInIncreasingOrder($0.values, $1.values) }
        return found.prefix(limit)
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
