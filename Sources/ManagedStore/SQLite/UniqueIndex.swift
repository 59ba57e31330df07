import Foundation

/// A constraint as an index of the file: `CREATE UNIQUE INDEX Z_Item_UNIQUE_name ON ZITEM (ZNAME)`, with Core Data's
/// name.
struct UniqueIndex {
    private(set) var name: String
    private(set) var creation: String
    private let table: String
    fileprivate let columns: [String]

    init(_ constraint: UniquenessConstraint, on table: EntityTable) {
        name = "Z_\(constraint.entityName)_UNIQUE_\(constraint.attributes.joined(separator: "_"))"
        self.table = table.name
        columns = constraint.positions.map { table.columns[$0] }
        creation = "CREATE UNIQUE INDEX IF NOT EXISTS \(name) ON \(table.name) (\(columns.joined(separator: ", ")))"
    }

    /// Drops the indexes on attributes that the model no longer declares unique: they would keep rejecting rows. An
    /// index on a column that the model does not have stays, since it rejects nothing.
    static func dropUnwanted(_ tables: [EntityTable], on connection: Connection) throws(StoreError) {
        let wanted = Set(all(tables).map(\.name))
        for (name, columns) in try named(on: connection) where !wanted.contains(name) {
            let isOurs = tables.contains { table in
                let attributes = Dictionary(zip(table.columns, table.source.entity.fieldNames)) { first, _ in first }
                let constrained = columns.compactMap { attributes[$0] }
                return constrained.count == columns.count
                    && name == "Z_\(table.source.entity.name)_UNIQUE_\(constrained.joined(separator: "_"))"
            }
            if isOurs { try connection.dropIndex(name) }
        }
    }

    /// Returns the unique indexes of a file with names of this form, and their columns.
    private static func named(on connection: Connection) throws(StoreError) -> [(name: String, columns: [String])] {
        let rows = try connection.statement(
            """
            SELECT m.name, upper(c.name) FROM sqlite_master m JOIN pragma_index_info(m.name) c \
            WHERE m.type = 'index' AND m.name LIKE 'Z!_%!_UNIQUE!_%' ESCAPE '!' ORDER BY m.name, c.seqno
            """)
        var indexes: [(name: String, columns: [String])] = []
        while try rows.step() {
            if indexes.last?.name != rows.string(0) { indexes.append((rows.string(0), [])) }
            indexes[indexes.count - 1].columns.append(rows.string(1))
        }
        return indexes
    }

    /// Returns the indexes of a model's entities.
    static func all(_ tables: [EntityTable]) -> [UniqueIndex] {
        tables.flatMap { table in
            table.source.entity.ownUniqueness.map { UniqueIndex($0, on: table) }
        }
    }

    /// Returns the indexes of a model's entities that the file has, in the file's form: Core Data may name an index
    /// after the original name of an entity, and states more about its columns.
    static func inFile(_ tables: [EntityTable], on connection: Connection) throws(StoreError) -> [UniqueIndex] {
        let rows = try connection.statement(
            """
            SELECT m.name, m.sql, upper(m.tbl_name), upper(c.name) FROM sqlite_master m JOIN pragma_index_info(m.name) c \
            WHERE m.type = 'index' AND m.sql LIKE 'CREATE UNIQUE INDEX%' AND m.sql NOT LIKE '% WHERE %' ORDER BY m.name, c.seqno
            """)
        var known: [(name: String, sql: String, table: String, columns: [String])] = []
        while try rows.step() {
            if known.last?.name != rows.string(0) { known.append((rows.string(0), rows.string(1), rows.string(2), [])) }
            known[known.count - 1].columns.append(rows.string(3))
        }
        return all(tables).map { index in
            var index = index
            if let same = known.first(where: { $0.table == index.table && $0.columns == index.columns }) {
                index.name = same.name
                index.creation = "CREATE UNIQUE INDEX IF NOT EXISTS" + same.sql.dropFirst("CREATE UNIQUE INDEX".count)
            }
            return index
        }
    }

    /// Creates the indexes that the file does not have.
    ///
    /// - Throws: `StoreError` with `incompatibleStore` if rows of the file share values that must be unique.
    static func create(_ tables: [EntityTable], on connection: Connection) throws(StoreError) {
        for index in try inFile(tables, on: connection) {
            do throws(StoreError) {
                try connection.run(index.creation)
            } catch {
                guard error.code == .constraintConflict else { throw error }
                throw StoreError(
                    .incompatibleStore,
                    "\(connection.path) holds rows that share values which must be unique in the model "
                        + "(\(index.name)); "
                        + "remove the duplicates first",
                    sql: index.creation)
            }
        }
    }
}

extension SQLiteStore {
    /// Calls `body` without the constraints, and checks them afterwards; within a transaction.
    ///
    /// - Parameter columns: The columns whose constraints to check afterwards; nil for all.
    func deferringConstraints<Result>(
        on connection: Connection, of columns: Set<String>? = nil, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let indexes = try UniqueIndex.inFile(tables, on: connection).filter { index in
            columns.map { !$0.isDisjoint(with: index.columns) } ?? true
        }
        for index in indexes { try connection.dropIndex(index.name) }
        let result = try body()
        for index in indexes { try connection.run(index.creation) }
        return result
    }

    /// Returns the conflicts between rows of a save and other rows. Call it after the transaction was rolled back.
    func constraintConflicts(_ changes: ChangeSet, _ connection: Connection) throws(StoreError) -> [ConstraintConflict]
    {
        var conflicts: [ConstraintConflict] = []
        for claims in ConstraintClaims.all(changes, sources) {
            conflicts += claims.conflicts(try holders(claims, connection))
        }
        return conflicts
    }

    /// Returns the stored objects that have values which the save claims, and keep them.
    private func holders(
        _ claims: ConstraintClaims, _ connection: Connection
    ) throws(StoreError) -> [ConstraintKey: ManagedObjectID] {
        let table = tables[claims.source.entityIndex]
        let conditions = claims.constraint.positions.map { "\(table.columns[$0]) = ?" }.joined(separator: " AND ")
        let sql = "SELECT Z_PK, Z_ENT FROM \(table.name) WHERE \(conditions)"
        var holders: [ConstraintKey: ManagedObjectID] = [:]
        for key in claims.keys {
            guard let row = claims.claimant(key) else { continue }
            let statement = try connection.statement(sql)
            defer { statement.reset() }
            for (index, field) in claims.constraint.fields.enumerated() {
                statement.bind(Int32(index + 1), field, of: row)
            }
            while try statement.step() {
                let (stored, number) = (statement.int64(0), Int(statement.int64(1)))
                if claims.leaving.contains(stored) { continue }
                let source = tables.first { $0.entityNumber == number }?.source ?? claims.source
                holders[key] = ManagedObjectID(source: source, key: stored)
            }
        }
        return holders
    }
}
