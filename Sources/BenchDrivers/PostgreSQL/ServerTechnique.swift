import BenchHarness
import DriverSupport

/// The method of a driver on a bare server while the clock runs. The drivers share everything else.
protocol ServerTechnique: Sendable {
    /// The struct that holds a record to be changed.
    associatedtype Record: ServerRecord
    /// The result of a fetch.
    associatedtype Rows: PlainRows

    init(table: ServerTable)

    var table: ServerTable { get }

    /// Inserts the records with `ordinals`, version 1, in the caller's transaction.
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, on connection: ServerConnection) throws
    /// Inserts the records with `ordinals`, version 1, of another entity than that of the session, in the caller's
    /// transaction.
    func insertOthers(_ ordinals: Range<Int>, of others: RecordGenerator, on connection: ServerConnection) throws
    /// Inserts pairs of a many-to-many relationship, in the caller's transaction.
    func insert(_ pairs: [(source: Int64, target: Int64)], of link: LinkTable, on connection: ServerConnection) throws
    /// Inserts `records` in the caller's transaction.
    func insert(_ records: [Record], on connection: ServerConnection) throws
    /// Fetches the records of `work`, and reports progress to `watch`. A page begins after the first `offset` records.
    func fetch(
        _ work: FetchWork, from offset: Int?, on connection: ServerConnection, watch: FetchWatch?
    ) throws -> Rows
    /// Fetches the records of `work`, which has only some attributes.
    func fetchPart(_ work: FetchWork, on connection: ServerConnection) throws -> any PlainRows
    /// Reads the records with `keys`, without the missing ones, in any order.
    func read(_ keys: [Int64], on connection: ServerConnection) throws -> [Record]
    /// Makes `changes` in `records` and then in their rows, in the caller's transaction. A row whose version differs
    /// from the version read is a conflict.
    func update(_ records: inout [Record], _ changes: [RecordChange], on connection: ServerConnection) throws
    /// Deletes the rows of `records`, in the caller's transaction, checking versions as ``update(_:_:on:)`` does.
    func delete(_ records: [Record], on connection: ServerConnection) throws
    /// Deletes what belongs to `records`, which are about to be deleted, in the caller's transaction.
    func deleteBelongings(of records: [Record], on connection: ServerConnection) throws
}

extension ServerTechnique {
    /// Returns the statement that finds the records of `work`, or some columns of them, and its parameters. With
    /// `sorted: false`, the caller sorts the records.
    func selection(
        _ work: FetchWork, columns: String? = nil, sorted: Bool = true, from offset: Int? = nil
    ) throws -> (String, ServerValues) {
        let filter = try ServerFilter(work.filter, table: table)
        var order: [String] = []
        if sorted {
            order = try work.sort.map {
                try table.sortValue($0.key) + ($0.ascending ? " NULLS FIRST" : " DESC NULLS LAST")
            }
        }
        let join = sorted ? table.join(work.sort) : ""
        // Equal records are in the order of their keys, which a server does not keep by itself.
        if work.limit > 0 || !order.isEmpty { order.append("\"Z_PK\"") }
        let columns = columns ?? table.keeping(work.attributes, of: work.filter).selectList
        var sql = "SELECT \(columns) FROM \(table.name)\(join) WHERE \(filter.sql)"
        if !order.isEmpty { sql += " ORDER BY " + order.joined(separator: ", ") }
        var values = filter.values
        if work.limit > 0 {
            values.append(Int64(work.limit))
            sql += " LIMIT $\(values.count)"
        }
        if let offset {
            values.append(Int64(offset))
            sql += " OFFSET $\(values.count)"
        }
        return (sql, values)
    }

    /// Reads every row of a statement.
    func readAll(_ sql: String, _ values: ServerValues, on connection: ServerConnection) throws -> [Record] {
        var records: [Record] = []
        try connection.stream(sql, values) { records.append(Record(row: $0, of: table)) }
        connection.didRead(records.count)
        return records
    }

    /// Returns the error of a change to a row that another writer has changed since it was read.
    func conflict(_ what: String, on connection: ServerConnection) -> DriverError {
        connection.conflicts += 1
        return DriverError(.conflict, "\(what) of \(table.entity.name) was changed by another writer since it was read")
    }
}
