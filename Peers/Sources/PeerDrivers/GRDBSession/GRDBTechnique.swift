import BenchHarness
import DriverSupport
import GRDB

/// How one of the drivers on GRDB reads and writes. Everything else, from opening the pool to merging what writers
/// saved, the drivers share.
///
/// Each function works on the connection that it is given, in the caller's transaction.
protocol GRDBTechnique: Sendable {
    /// What a row becomes.
    associatedtype Record: PeerRecord

    /// Inserts the records with `ordinals`, version 1, and what their many-to-many relationships lead to.
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, in db: Database) throws
    /// Fetches what `work` asks for, in one go.
    func fetchAll(_ work: FetchWork, in db: Database) throws -> [Record]
    /// Fetches what `work` asks for, telling `found` now and then how many records there are so far.
    func fetch(_ work: FetchWork, in db: Database, found: (Int) throws -> Void) throws -> [Record]
    /// Fetches what `work` asks for, and what a relationship of each record leads to.
    func follow(_ work: FetchWork, _ follow: FollowSpec, in db: Database) throws -> any FetchedRecords
    /// Fetches what `work` asks for, after the first `offset` records.
    func fetchPage(_ work: FetchWork, offset: Int, in db: Database) throws -> [Record]
    /// The first `limit` records from a key on that match, in the order of their keys; -1 means all.
    func select(_ filter: FilterSpec?, from key: Int64, limit: Int, in db: Database) throws -> [Record]
    /// Reads the records with `keys`, in any order; those that are not there are left out.
    func read(_ keys: [Int64], in db: Database) throws -> [Record]
    /// Makes `changes` in `records` and in their rows, and counts up their versions.
    ///
    /// - Throws: `RecordConflict` for a row whose version is not the one that was read.
    func update(_ records: inout [Record], _ changes: [RecordChange], in db: Database) throws
    /// Makes `changes` in every row that matches, in one statement.
    func updateAll(_ changes: [RecordChange], where filter: FilterSpec?, in db: Database) throws
    /// Deletes the rows of `records`, checking versions as an update does.
    func delete(_ records: [Record], in db: Database) throws
    /// Feeds every attribute of every record. A requirement, so that the compiler specialises the loop for the record.
    func digest(_ records: ArraySlice<Record>, of entity: EntitySpec, into digester: inout RecordDigester)
}

/// A record of a driver on GRDB.
protocol PeerRecord: FetchableRecord, Sendable {
    /// The row's primary key.
    var id: Int64 { get }
    /// Feeds every attribute, in the order of `entity`.
    func digest(into digester: inout RecordDigester, entity: EntitySpec)
}

/// Often enough for a display and for cancelling, too seldom to be felt.
let progressInterval = 1_024
