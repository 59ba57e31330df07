import BenchHarness
import DriverSupport

/// How one of the drivers on bare SQLite works within the clock. Everything else, from opening the store to merging
/// what writers saved, the drivers share.
protocol Technique: Sendable {
    /// The struct that a record becomes when it is going to be changed.
    associatedtype Record: PlainRecord
    /// What a fetch hands back.
    associatedtype Rows: PlainRows

    /// Whether the writers of one process take turns at a lock of its own, rather than at the file's, at which SQLite
    /// has them sleep and try again.
    static var takesTurns: Bool { get }

    init(table: RecordTable)

    var table: RecordTable { get }

    /// Inserts the records with `ordinals`, version 1, in the caller's transaction.
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, on connection: PlainConnection) throws
    /// Fetches what `work` asks for, telling `watch` how far it has come.
    func fetch(_ work: FetchWork, on connection: PlainConnection, watch: FetchWatch?) throws -> Rows
    /// Fetches what `work` asks for, which is some attributes alone.
    func fetchPart(_ work: FetchWork, on connection: PlainConnection) throws -> any PlainRows
    /// Fetches what `work` asks for, follows a relationship of it, and reads every attribute of both.
    func follow(_ work: FetchWork, _ follow: FollowSpec, on connection: PlainConnection) throws -> any FetchedRecords
    /// Reads the records with `keys`; those that are not there are left out.
    func read(_ keys: [Int64], on connection: PlainConnection) throws -> [Record]
    /// Makes `changes` in `records` and then in their rows, in the caller's transaction. A row that is not the version
    /// that was read is a conflict.
    func update(_ records: inout [Record], _ changes: [RecordChange], on connection: PlainConnection) throws
    /// Deletes the rows of `records`, in the caller's transaction, checking versions as ``update(_:_:on:)`` does.
    func delete(_ records: [Record], on connection: PlainConnection) throws
}

/// Records that a fetch found, in order.
protocol PlainRows: FetchedRecords, SlicedRecords {
    /// No records.
    init()
}

/// Follows a fetch that runs in the background, and stops it when it was cancelled.
struct FetchWatch: Sendable {
    /// Often enough for a display and for cancelling, too seldom to be felt.
    static let interval = 1_024

    /// Takes the number of records found so far; throws when the fetch is to stop.
    let found: @Sendable (Int) throws -> Void
}

extension Technique {
    /// The statement that finds what `work` asks for; `sorted: false` leaves the ordering to the caller, who gets the
    /// records in the order of their keys.
    ///
    /// SQLite's sorter is stable, so that equal records keep that order too. Asking for it by a second key would cost
    /// the baseline a tenth of its time; the conformance suite holds SQLite to it instead.
    func select(_ work: FetchWork, sorted: Bool = true, on connection: PlainConnection) throws -> PlainStatement {
        let filter = try Filter(work.filter, table: table)
        var order: [String] = []
        if sorted {
            order = try work.sort.map { table.columns[try table.attribute($0.key)] + ($0.ascending ? "" : " DESC") }
        }
        var sql = "SELECT \(table.keeping(work.attributes).selectList) FROM \(table.name) WHERE \(filter.sql)"
        sql += " ORDER BY " + (order.isEmpty ? "Z_PK" : order.joined(separator: ", "))
        if work.limit > 0 { sql += " LIMIT \(work.limit)" }
        let statement = try connection.prepare(sql)
        try statement.bind(filter.bindings)
        return statement
    }

    /// Refuses a change to a row that is not as it was read.
    func conflict(_ what: String, on connection: PlainConnection) -> DriverError {
        connection.conflicts += 1
        return DriverError(.conflict, "\(what) of \(table.entity.name) was changed by another writer since it was read")
    }
}
