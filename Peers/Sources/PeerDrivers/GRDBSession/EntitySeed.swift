import BenchHarness
import GRDB

/// Inserts the records of one of a store's other entities.
struct EntitySeed: Sendable {
    /// The name of the entity.
    let entity: String
    /// The number of records in a seeded store.
    let records: Int
    let insert: @Sendable (Range<Int>, Database) throws -> Void

    init(_ table: RecordTable, _ method: some GRDBTechnique, of configuration: StoreConfiguration) {
        entity = table.entity.name
        records = table.entity.records ?? 0
        let generator = configuration.generator(of: table.schema.focus)
        insert = { try method.insert($0, of: generator, into: table, in: $1) }
    }
}

extension GRDBTechnique {
    /// Inserts records and keeps the largest key that was given out, as all drivers do.
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, into table: RecordTable, in db: Database) throws {
        guard let last = ordinals.last else { return }
        try insert(ordinals, of: records, in: db)
        try db.execute(
            sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, ?) WHERE Z_ENT = ?",
            arguments: [RecordTable.key(last), table.number])
    }
}
