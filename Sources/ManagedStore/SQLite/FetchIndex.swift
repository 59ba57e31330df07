/// An index for fetches in the file: `CREATE INDEX Z_Item_INDEX_createdAt ON ZITEM (ZCREATEDAT)`.
struct FetchIndex {
    private let name: String
    private let creation: String

    private init(_ attributes: [String], of entity: EntityDescription, on table: EntityTable) {
        name = "Z_\(entity.name)_INDEX_\(attributes.joined(separator: "_"))"
        let columns = attributes.compactMap { entity.attributes.map(\.name).firstIndex(of: $0) }
            .map { table.columns[$0] }
        creation = "CREATE INDEX IF NOT EXISTS \(name) ON \(table.name) (\(columns.joined(separator: ", ")))"
    }

    private static func all(_ tables: [EntityTable]) -> [FetchIndex] {
        tables.flatMap { table in
            let entity = table.source.entity
            return entity.ownFetchIndexes.map { FetchIndex($0, of: entity, on: table) }
        }
    }

    /// Creates the indexes that the file does not have. Those that the model no longer has stay: they reject nothing,
    /// and another program may use them.
    static func create(_ tables: [EntityTable], on connection: Connection) throws(StoreError) {
        for index in all(tables) { try connection.execute(index.creation) }
    }
}
