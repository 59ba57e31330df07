import BenchHarness
import DriverSupport
import GRDB

/// Records, their persistence methods, their associations, and the query interface.
///
/// Its loops are specialised for the item of the main scenarios, as those of ``StatementTechnique`` are.
struct RecordTechnique<Record: EntityRecord>: GRDBTechnique {
    let query: RecordQuery

    @_specialize(where Record == ItemRecord)
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, in db: Database) throws {
        for ordinal in ordinals { try Record(ordinal, of: records).insertWithPairs(ordinal, of: records, in: db) }
    }

    func fetchAll(_ work: FetchWork, in db: Database) throws -> [Record] { try request(work).fetchAll(db) }

    @_specialize(where Record == ItemRecord)
    func fetch(_ work: FetchWork, in db: Database, found: (Int) throws -> Void) throws -> [Record] {
        var items: [Record] = []
        let cursor = try request(work).fetchCursor(db)
        while let item = try cursor.next() {
            items.append(item)
            if items.count.isMultiple(of: progressInterval) { try found(items.count) }
        }
        return items
    }

    func fetchPage(_ work: FetchWork, offset: Int, in db: Database) throws -> [Record] {
        try request(work).limit(work.limit, offset: offset).fetchAll(db)
    }

    func follow(_ work: FetchWork, _ follow: FollowSpec, in db: Database) throws -> any FetchedRecords {
        guard let followed = Record.relationships[follow.relationship] else {
            throw RunError(.phase, "\(Record.self) has no association for \(follow.relationship)")
        }
        return try followed.fetch(request(work), follow.prefetch, db)
    }

    private func request(_ work: FetchWork) throws -> QueryInterfaceRequest<Record> {
        var request = Record.all()
        if work.filter != nil { request = try request.filter(query.condition(work.filter)) }
        if !work.sort.isEmpty { request = try request.order(query.ordering(work.sort)) }
        return work.limit > 0 ? request.limit(work.limit) : request
    }

    func select(_ filter: FilterSpec?, from key: Int64, limit: Int, in db: Database) throws -> [Record] {
        try Record
            .filter(Record.key >= key)
            .filter(query.condition(filter))
            .order(Record.key)
            .limit(limit)
            .fetchAll(db)
    }

    func read(_ keys: [Int64], in db: Database) throws -> [Record] { try Record.fetchAll(db, ids: keys) }

    @_specialize(where Record == ItemRecord)
    func update(_ items: inout [Record], _ changes: [RecordChange], in db: Database) throws {
        for index in items.indices {
            for change in changes { try items[index].apply(change.forRecord(RecordTable.ordinal(items[index].id))) }
            let assignments = changes.map { change in
                Column(query.table.columns[change.attribute]).set(to: items[index].value(change.attribute))
            }
            let changed = try items[index].asRead.updateAll(db, assignments + [Record.versions += 1])
            try RecordConflict.check(changed, query.table.name, items[index].id)
            items[index].version += 1
        }
    }

    func updateAll(_ changes: [RecordChange], where filter: FilterSpec?, in db: Database) throws {
        let assignments = changes.map(query.table.assignment) + [Record.versions += 1]
        try Record.filter(query.condition(filter)).updateAll(db, assignments)
    }

    @_specialize(where Record == ItemRecord)
    func delete(_ items: [Record], in db: Database) throws {
        for item in items { try RecordConflict.check(item.asRead.deleteAll(db), query.table.name, item.id) }
    }

    @_specialize(where Record == ItemRecord)
    func digest(_ items: ArraySlice<Record>, of entity: EntitySpec, into digester: inout RecordDigester) {
        for item in items {
            item.digest(into: &digester, entity: entity)
            digester.endRecord()
        }
    }
}
