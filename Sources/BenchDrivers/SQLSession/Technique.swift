import BenchHarness
import DriverSupport

/// The method of a driver on a bare database while the clock runs. The drivers share everything else, from opening the
/// store to merging saves.
protocol Technique: Sendable {
    associatedtype Connection: SQLConnection
    /// The struct that holds a record to be changed.
    associatedtype Record: SQLRecord
    /// The result of a fetch.
    associatedtype Rows: PlainRows

    /// Whether the writers of one process take turns at a lock of the process instead of the file's lock, at which
    /// SQLite makes them sleep and retry.
    static var takesTurns: Bool { get }

    init(table: RecordTable)

    var table: RecordTable { get }

    /// Inserts the records with `ordinals`, version 1, in the caller's transaction.
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, on connection: Connection) throws
    /// Inserts pairs of a many-to-many relationship, in the caller's transaction.
    func insert(_ pairs: [LinkTable.Pair], of link: LinkTable, on connection: Connection) throws
    /// Inserts `records` in the caller's transaction.
    func insert(_ records: [Record], on connection: Connection) throws
    /// Inserts the records with `ordinals`, or replaces the values of rows that have the same value of the attribute at
    /// `key`, in the caller's transaction.
    func upsert(_ ordinals: [Int], of records: RecordGenerator, by key: Int, on connection: Connection) throws
    /// Fetches the records of `work`, and reports progress to `watch`. A page begins after the first `offset` records,
    /// and keeps its statement for the next one.
    func fetch(_ work: FetchWork, from offset: Int?, on connection: Connection, watch: FetchWatch?) throws -> Rows
    /// Fetches the records of `work`, which has only some attributes.
    func fetchPart(_ work: FetchWork, on connection: Connection) throws -> any PlainRows
    /// Fetches records, and follows a relationship from them.
    func follow(_ fetch: RelatedFetch, on connection: Connection) throws -> any FetchedRecords
    /// Reads the records with `keys`, without the missing ones, in any order.
    func read(_ keys: [Int64], on connection: Connection) throws -> [Record]
    /// Makes `changes` in `records` and then in their rows, in the caller's transaction. A row whose version differs
    /// from the version read is a conflict.
    func update(_ records: inout [Record], _ changes: [RecordChange], on connection: Connection) throws
    /// Deletes the rows of `records`, in the caller's transaction, checking versions as ``update(_:_:on:)`` does.
    func delete(_ records: [Record], on connection: Connection) throws
    /// The comparison of a key with the parameter of the next two.
    static var isGiven: String { get }
    /// Runs statements, whose only parameter is a key or an array of keys, for some keys.
    func run(_ statements: [String], for keys: [Int64], on connection: Connection) throws
    /// Returns the keys that a query, whose only parameter is a key or an array of keys, finds for some keys.
    func find(_ query: String, for keys: [Int64], on connection: Connection) throws -> [Int64]
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
    static var takesTurns: Bool { false }

    /// Inserts the pairs one after another.
    func insert(_ pairs: [LinkTable.Pair], of link: LinkTable, on connection: Connection) throws {
        try connection.insert(pairs, by: connection.statement(link.insertion))
    }

    /// Fetches the records of `work`, and reports progress to `watch`.
    func fetch(_ work: FetchWork, on connection: Connection, watch: FetchWatch?) throws -> Rows {
        try fetch(work, from: nil, on: connection, watch: watch)
    }

    func follow(_ fetch: RelatedFetch, on connection: Connection) throws -> any FetchedRecords {
        try RelatedReader(connection: connection).read(fetch)
    }

    /// One key after another.
    static var isGiven: String { "= $1" }

    func run(_ statements: [String], for keys: [Int64], on connection: Connection) throws {
        for sql in statements { try connection.runEach(connection.statement(sql), keys: keys) }
    }

    func find(_ query: String, for keys: [Int64], on connection: Connection) throws -> [Int64] {
        let statement = try connection.statement(query)
        var found: [Int64] = []
        for key in keys {
            try connection.read(statement) {
                try $0.append(key)
            } row: {
                found.append($0.int64(0))
            }
        }
        return found
    }

    /// Returns the error of a change to a row that another writer has changed since it was read.
    func conflict(_ what: String, on connection: Connection) -> DriverError {
        connection.conflicts += 1
        return DriverError(.conflict, "\(what) of \(table.entity.name) was changed by another writer since it was read")
    }
}
