import CSQLite
import Foundation

/// Inserts rows, several with each statement, bound directly from their pages.
struct RowInserter {
    private let entity: Int
    private let schema: SQLSchema
    private let connection: Connection
    private let keys: PermanentKeys
    private let layout: RowLayout
    private let entityColumns: [(field: Int, column: String)]
    private let orders: [RowOrders.Column]

    /// - Parameter orders: The columns with the rows' numbers in ordered relationships.
    init(
        entity: Int, _ schema: SQLSchema, _ connection: Connection, keys: PermanentKeys, orders: [RowOrders.Column]
    ) {
        (self.entity, self.schema, self.connection, self.keys, self.orders) =
            (entity, schema, connection, keys, orders)
        layout = schema.tables[entity].source.entity.layout
        entityColumns = schema.tables[entity].entityColumns
    }

    private var table: EntityTable { schema.tables[entity] }

    /// Measured: with 64 rows in a statement, an insertion takes 0.6 to 0.75 of the time of one row in a statement.
    /// More rows gain nothing.
    private static let rowsPerStatement = 64
    /// The rows of a statement where there are fewer than that.
    private static let fewRows = 8

    /// Inserts `rows` with version 1, and replaces temporary keys by permanent ones.
    func insert(_ rows: ContiguousArray<RowReference>) throws(StoreError) {
        var nextKey = keys.firstKeys[table.source.entityIndex]
        var start = 0
        let possible = parameterLimit / (columnCount + 1)
        let (many, few) = (min(Self.rowsPerStatement, possible), min(Self.fewRows, possible))
        while start < rows.count {
            let left = rows.count - start
            let count = left >= many ? many : left >= few ? few : 1
            let statement = try connection.statement(
                .insert(entity: table.entityNumber, rows: count, hasOrders: !orders.isEmpty)
            ) { sql(rows: count) }
            // Not cleared between rounds, since each round sets every parameter.
            repeat {
                bind(rows[start..<start + count], to: statement, &nextKey)
                try statement.run()
                guard connection.changes == count else { throw connection.unwritten("new rows of table \(table.name)") }
                start += count
            } while rows.count - start >= count
        }
    }

    /// The columns besides the key, the entity's number and the version.
    private var writtenColumns: [String] { table.writtenColumns + orders.map(\.name) }
    /// Their number, which each save asks for.
    private var columnCount: Int { table.columns.count + entityColumns.count + orders.count }

    private var parameterLimit: Int {
        Int(sqlite3_limit(connection.handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
    }

    /// Any error rolls the transaction back, or to a savepoint, so the statement says `FAIL`. Otherwise, SQLite copies
    /// each page before it changes it, to undo a statement of several rows alone; pages of an index are many. A trigger
    /// would take the clause over for its own statements.
    private func sql(rows: Int) -> String {
        let places = String(repeating: ", ?", count: columnCount)
        let row = "(?, \(table.entityNumber), 1\(places))"
        let columns = (["Z_PK", "Z_ENT", "Z_OPT"] + writtenColumns).joined(separator: ", ")
        return "INSERT\(connection.hasTriggers ? "" : " OR FAIL") INTO \(table.name) (\(columns)) VALUES "
            + String.list(of: row, rows)
    }

    @inline(__always) private func bind(
        _ rows: ArraySlice<RowReference>, to statement: Statement, _ nextKey: inout Int64
    ) {
        var parameter: Int32 = 1
        let (fields, references) = (layout.attributeFields, layout.toOneFields)
        let (externals, numbers) = (table.externals, schema.numbers)
        let hasExternals = !externals.isEmpty
        for row in rows {
            let first = parameter + 1
            var key = row.row.key
            if key < 0 { (key, nextKey) = (nextKey, nextKey + 1) }
            statement.bind(parameter, key)
            parameter += 1
            for field in fields {
                statement.bind(parameter, field, of: row)
                parameter += 1
            }
            for field in references {
                statement.bind(parameter, field, of: row, keys)
                parameter += 1
            }
            if hasExternals {
                for position in externals {
                    statement.bindExternal(first + Int32(position), layout.fields[position], of: row)
                }
            }
            for (field, _) in entityColumns {
                statement.bindEntity(parameter, layout.fields[field], of: row, keys, numbers)
                parameter += 1
            }
            for order in orders {
                if let number = order.number(of: row, key, keys) {
                    statement.bind(parameter, number)
                } else {
                    statement.bindNull(parameter)
                }
                parameter += 1
            }
        }
    }
}
