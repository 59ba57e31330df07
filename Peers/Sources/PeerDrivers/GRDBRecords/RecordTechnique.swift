import BenchHarness
import DriverSupport
import GRDB

/// Records, their persistence methods, and the query interface.
struct RecordTechnique: GRDBTechnique {
    let query: RecordQuery

    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, in db: Database) throws {
        for ordinal in ordinals { try ItemRecord(ordinal, of: records).insert(db) }
    }

    func fetchAll(_ work: FetchWork, in db: Database) throws -> [ItemRecord] { try request(work).fetchAll(db) }

    func fetch(_ work: FetchWork, in db: Database, found: (Int) throws -> Void) throws -> [ItemRecord] {
        var items: [ItemRecord] = []
        let cursor = try request(work).fetchCursor(db)
        while let item = try cursor.next() {
            items.append(item)
            if items.count.isMultiple(of: progressInterval) { try found(items.count) }
        }
        return items
    }

    func fetchPage(_ work: FetchWork, offset: Int, in db: Database) throws -> [ItemRecord] {
        try request(work).limit(work.limit, offset: offset).fetchAll(db)
    }

    private func request(_ work: FetchWork) throws -> QueryInterfaceRequest<ItemRecord> {
        var request = ItemRecord.all()
        if work.filter != nil { request = try request.filter(query.condition(work.filter)) }
        if !work.sort.isEmpty { request = try request.order(query.ordering(work.sort)) }
        return work.limit > 0 ? request.limit(work.limit) : request
    }

    func select(_ filter: FilterSpec?, from key: Int64, limit: Int, in db: Database) throws -> [ItemRecord] {
        try ItemRecord
            .filter(ItemRecord.Columns.id >= key)
            .filter(query.condition(filter))
            .order(ItemRecord.Columns.id)
            .limit(limit)
            .fetchAll(db)
    }

    func read(_ keys: [Int64], in db: Database) throws -> [ItemRecord] { try ItemRecord.fetchAll(db, ids: keys) }

    func update(_ items: inout [ItemRecord], _ changes: [RecordChange], in db: Database) throws {
        for index in items.indices {
            for change in changes { try items[index].apply(change.forRecord(RecordTable.ordinal(items[index].id))) }
            let assignments = changes.map { change in
                Column(query.table.columns[change.attribute]).set(to: items[index].value(change.attribute))
            }
            let changed = try items[index].asRead.updateAll(db, assignments + [ItemRecord.Columns.version += 1])
            try RecordConflict.check(changed, query.table.name, items[index].id)
            items[index].version += 1
        }
    }

    func updateAll(_ changes: [RecordChange], where filter: FilterSpec?, in db: Database) throws {
        let assignments = changes.map(query.table.assignment) + [ItemRecord.Columns.version += 1]
        try ItemRecord.filter(query.condition(filter)).updateAll(db, assignments)
    }

    func delete(_ items: [ItemRecord], in db: Database) throws {
        for item in items { try RecordConflict.check(item.asRead.deleteAll(db), query.table.name, item.id) }
    }

    func digest(_ items: ArraySlice<ItemRecord>, of entity: EntitySpec, into digester: inout RecordDigester) {
        for item in items {
            item.digest(into: &digester, entity: entity)
            digester.endRecord()
        }
    }
}
