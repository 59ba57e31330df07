import BenchHarness
import DriverSupport

/// The method of a driver on bare SQLite while the clock runs. The drivers share everything else, from opening the
/// store to merging saves.
protocol Technique: Sendable {
    /// The struct that holds a record to be changed.
    associatedtype Record: PlainRecord
    /// The result of a fetch.
    associatedtype Rows: PlainRows

    /// Whether the writers of one process take turns at a lock of the process instead of the file's lock, at which
    /// SQLite makes them sleep and retry.
    static var takesTurns: Bool { get }

    init(table: RecordTable)

    var table: RecordTable { get }

    /// Inserts the records with `ordinals`, version 1, in the caller's transaction.
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, on connection: PlainConnection) throws
    /// Inserts `records` in the caller's transaction.
    func insert(_ records: [Record], on connection: PlainConnection) throws
    /// Inserts the records with `ordinals`, or replaces the values of rows that have the same value of the attribute at
    /// `key`, in the caller's transaction.
    func upsert(
        _ ordinals: [Int], of records: RecordGenerator, by key: Int, on connection: PlainConnection) throws
    /// Fetches the records of `work`, and reports progress to `watch`. A page begins after the first `offset` records,
    /// and keeps its statement for the next one.
    func fetch(
        _ work: FetchWork, from offset: Int?, on connection: PlainConnection, watch: FetchWatch?
    ) throws -> Rows
    /// Fetches the records of `work`, which has only some attributes.
    func fetchPart(_ work: FetchWork, on connection: PlainConnection) throws -> any PlainRows
    /// Fetches records, and follows a relationship from them.
    func follow(_ fetch: RelatedFetch, on connection: PlainConnection) throws -> any FetchedRecords
    /// Reads the records with `keys`, without the missing ones.
    func read(_ keys: [Int64], on connection: PlainConnection) throws -> [Record]
    /// Makes `changes` in `records` and then in their rows, in the caller's transaction. A row whose version differs
    /// from the version read is a conflict.
    func update(_ records: inout [Record], _ changes: [RecordChange], on connection: PlainConnection) throws
    /// Deletes the rows of `records`, in the caller's transaction, checking versions as ``update(_:_:on:)`` does.
    func delete(_ records: [Record], on connection: PlainConnection) throws
}

/// The records of a fetch, in order.
protocol PlainRows: FetchedRecords, Sendable {
    /// Creates an empty result.
    init()
}

/// Observes a fetch that runs in the background, and stops it after a cancellation.
struct FetchWatch: Sendable {
    /// The number of rows between reports: often enough for a display and for cancellation, too rarely to cost
    /// measurable time.
    static let interval = 1_024

    /// Takes the number of records found so far; throws to stop the fetch.
    let found: @Sendable (Int) throws -> Void
}

extension Technique {
    func follow(_ fetch: RelatedFetch, on connection: PlainConnection) throws -> any FetchedRecords {
        try FileRelatedReader(connection: connection).read(fetch)
    }

    /// Fetches the records of `work`, and reports progress to `watch`.
    func fetch(_ work: FetchWork, on connection: PlainConnection, watch: FetchWatch?) throws -> Rows {
        try fetch(work, from: nil, on: connection, watch: watch)
    }

    /// Returns the statement that finds the records of `work`. With `sorted: false`, the caller sorts the records, and
    /// gets them in the order of their keys. Records in no particular order may come by an index.
    ///
    /// SQLite's sorter is stable, so that equal records keep that order too. A second sort key for it would cost the
    /// baseline a tenth of its time; instead, the conformance suite verifies that SQLite keeps the order.
    func select(
        _ work: FetchWork, sorted: Bool = true, from offset: Int? = nil, on connection: PlainConnection
    ) throws -> PlainStatement {
        let filter = try Filter(work.filter, table: table)
        var order = sorted ? try table.ordering(work.sort) : []
        var sql =
            "SELECT \(table.keeping(work.attributes, of: work.filter).selectList) FROM \(table.name) WHERE \(filter.sql)"
        if order.isEmpty, work.limit > 0 || !work.sort.isEmpty { order = ["Z_PK"] }
        if !order.isEmpty { sql += " ORDER BY " + order.joined(separator: ", ") }
        if let offset {
            let statement = try connection.kept(sql + " LIMIT ? OFFSET ?")
            try statement.bind(filter.bindings + [.int64(Int64(work.limit)), .int64(Int64(offset))])
            return statement
        }
        if work.limit > 0 { sql += " LIMIT \(work.limit)" }
        let statement = try connection.prepare(sql)
        try statement.bind(filter.bindings)
        return statement
    }

    /// Returns the error of a change to a row that another writer has changed since it was read.
    func conflict(_ what: String, on connection: PlainConnection) -> DriverError {
        connection.conflicts += 1
        return DriverError(.conflict, "\(what) of \(table.entity.name) was changed by another writer since it was read")
    }
}
