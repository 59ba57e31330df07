import BenchHarness
import GRDB

/// Records, their persistence methods, and the query interface.
struct RecordTechnique: GRDBTechnique {
    let query: RecordQuery

    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, in db: Database) throws {
        for ordinal in ordinals { try Item(ordinal, of: records).insert(db) }
    }

    func fetchAll(_ work: FetchWork, in db: Database) throws -> [Item] { try request(work).fetchAll(db) }

    func fetch(_ work: FetchWork, in db: Database, found: (Int) -> Void) throws -> [Item] {
        var items: [Item] = []
        let cursor = try request(work).fetchCursor(db)
        while let item = try cursor.next() {
            items.append(item)
            if items.count.isMultiple(of: progressInterval) { found(items.count) }
        }
        return items
    }

    private func request(_ work: FetchWork) throws -> QueryInterfaceRequest<Item> {
        var request = Item.all()
        if work.filter != nil { request = try request.filter(query.condition(work.filter)) }
        if !work.sort.isEmpty { request = try request.order(query.ordering(work.sort)) }
        return work.limit > 0 ? request.limit(work.limit) : request
    }

    func select(_ filter: FilterSpec?, after key: Int64, limit: Int, in db: Database) throws -> [Item] {
        try Item
            .filter(Item.Columns.id > key)
            .filter(query.condition(filter))
            .order(Item.Columns.id)
            .limit(limit)
            .fetchAll(db)
    }

    func read(_ keys: [Int64], in db: Database) throws -> [Item] { try Item.fetchAll(db, ids: keys) }

    func update(_ items: inout [Item], _ changes: [RecordChange], in db: Database) throws {
        let columns = Set(changes.map(\.column) + [Item.Columns.version.name])
        for index in items.indices {
            for change in changes { try items[index].apply(change) }
            items[index].version += 1
            try items[index].update(db, columns: columns)
        }
    }

    func updateAll(_ changes: [RecordChange], where filter: FilterSpec?, in db: Database) throws {
        let assignments = changes.map(\.assignment) + [Item.Columns.version += 1]
        try Item.filter(query.condition(filter)).updateAll(db, assignments)
    }

    func delete(_ items: [Item], in db: Database) throws { try Item.deleteAll(db, ids: items.map(\.id)) }

    func touch(_ items: [Item], _ range: Range<Int>) -> UInt64 { items[range].reduce(0) { $0 &+ $1.touch() } }
}
