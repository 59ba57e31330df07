import BenchHarness
import Foundation

/// A database that has the store of a configuration. What drivers on bare databases share is written over it.
protocol SQLDatabase: Sendable {
    associatedtype Connection: SQLConnection

    /// The table of the records that a phase is about.
    var table: RecordTable { get }
    /// Reads the store for verification.
    var inspector: any StoreInspector { get }
    /// Counts what is written to files; nil if they are not here. Ask for it before a connection opens them.
    var fileCounter: FileCounter? { get }

    /// Opens a connection with the settings of the scenario.
    func connect() throws -> Connection
    /// Opens a connection that waits for whatever else may use the store.
    func connectForUpkeep() throws -> Connection
    /// Has the database do now what it would otherwise do during a phase, after values were replaced.
    func settle(on connection: Connection) throws
    /// Creates the tables if they are missing, in one transaction.
    func createTablesIfNeeded(on connection: Connection) throws
    /// Writes changes to where they stay.
    func checkpoint(on connection: Connection) throws
    /// Returns the settings of connections.
    func settings(of connections: [Connection]) throws -> [StoreSettings]
}

extension SQLDatabase {
    var fileCounter: FileCounter? { nil }

    func connectForUpkeep() throws -> Connection { try connect() }

    func settle(on connection: Connection) throws { try checkpoint(on: connection) }

    func settings(of connections: [Connection]) throws -> [StoreSettings] { [] }
}

/// A connection to a database. Its owner must ensure that only one thread at a time uses it; ``interrupt()`` is the
/// only call from elsewhere.
protocol SQLConnection: AnyObject, Sendable {
    /// A statement that the connection keeps.
    associatedtype Statement
    /// A row of a result.
    associatedtype Row: SQLRow
    /// The parameters of a statement.
    associatedtype Values: SQLValueSink

    /// Whether a single writer at a time has the database.
    static var hasOneWriter: Bool { get }
    /// Whether a statement outside of a transaction is better off without one.
    static var commitsStatements: Bool { get }

    /// Returns the statement with this name, whose text is composed at its first use only.
    func statement(named name: String, _ sql: @autoclosure () -> String) throws -> Statement
    /// Returns a statement whose owner keeps it.
    func ownStatement(_ sql: String) throws -> Statement

    /// Runs a statement, and returns the number of rows that it changed.
    @discardableResult
    func run(_ statement: Statement, _ bind: (inout Values) throws -> Void) throws -> Int
    /// Runs a statement once for each of `count` sets of parameters.
    func runEach(_ statement: Statement, count: Int, bind: (Int, inout Values) throws -> Void) throws
    /// Runs a statement once for each of `count` sets of parameters; `check` takes the number of rows that a run
    /// changed.
    func runEach(
        _ statement: Statement, count: Int, bind: (Int, inout Values) throws -> Void,
        check: (_ number: Int, _ affected: Int) throws -> Void) throws
    /// Calls `body` with each row of a statement that finds a few.
    func read(_ statement: Statement, _ bind: (inout Values) throws -> Void, row body: (Row) throws -> Void) throws
    /// Calls `body` with the row that a statement, whose only parameter is a key, finds for each of some keys.
    func readOne(_ statement: Statement, for keys: [Int64], row body: (Row) throws -> Void) throws
    /// Calls `body` with the rows of a statement made by ``RecordTable/selectionOfKeys``, in any order.
    func read(_ statement: Statement, keys: [Int64], row body: (Row) throws -> Void) throws
    /// Calls `body` with each row of a query as it arrives.
    ///
    /// - Parameter isKept: Whether the statement is prepared for further queries with the same text.
    func read(_ query: SQLQuery, isKept: Bool, row body: (Row) throws -> Void) throws
    /// Runs a query to its end.
    func execute(_ query: SQLQuery) throws
    /// Returns the first column of the first row; nil if there is no row.
    func integer(_ query: SQLQuery) throws -> Int64?

    /// Runs `body` in a transaction that writes, which is rolled back after an error.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result
    /// Has the statement that runs end soon.
    func interrupt()
    func close() throws

    /// Saves refused because another writer had changed a record.
    var conflicts: Int { get set }
    var counters: StoreCounters { get }
    func resetCounters()
}

extension SQLConnection {
    func statement(_ sql: String) throws -> Statement { try statement(named: sql, sql) }

    /// Reads every record of a query.
    @_specialize(where Self == PlainConnection, Record == ItemRecord)
    @_specialize(where Self == PlainConnection, Record == OwnedItemRecord)
    @_specialize(where Self == PlainConnection, Record == FieldRecord)
    func records<Record: SQLRecord>(
        _ query: SQLQuery, isKept: Bool = false, of table: RecordTable
    ) throws -> [Record] {
        var records: [Record] = []
        try read(query, isKept: isKept) { records.append(Record(row: $0, of: table)) }
        return records
    }
}

// MARK: Loops without records

extension SQLConnection {
    /// Inserts the records with `ordinals`, with their keys or without.
    @_specialize(where Self == PlainConnection, Ordinals == Range<Int>)
    @_specialize(where Self == PlainConnection, Ordinals == [Int])
    func insert<Ordinals: RandomAccessCollection<Int>>(
        _ ordinals: Ordinals, _ binder: RecordBinder, by statement: Statement, withKeys: Bool
    ) throws where Ordinals.Index == Int {
        let first = ordinals.startIndex
        try runEach(statement, count: ordinals.count) { position, values in
            let ordinal = ordinals[first + position]
            if withKeys { try values.append(RecordTable.key(ordinal)) }
            try binder.appendAttributes(of: ordinal, to: &values)
        }
    }

    /// Inserts pairs of keys.
    @_specialize(where Self == PlainConnection)
    func insert(_ pairs: [LinkTable.Pair], by statement: Statement) throws {
        try runEach(statement, count: pairs.count) { position, values in
            try values.append(pairs[position].source)
            try values.append(pairs[position].target)
            if let place = pairs[position].place { try values.append(place) }
        }
    }

    /// Runs a statement for each of some keys.
    @_specialize(where Self == PlainConnection)
    func runEach(_ statement: Statement, keys: [Int64]) throws {
        try runEach(statement, count: keys.count) { position, values in try values.append(keys[position]) }
    }
}

/// The current row of a result. Columns count from 0; a null value reads as 0 or as nothing.
protocol SQLRow {
    func isNull(_ column: Int) -> Bool
    func int64(_ column: Int) -> Int64
    func double(_ column: Int) -> Double
    func bool(_ column: Int) -> Bool
    func string(_ column: Int) -> String
    /// The bytes of a text, valid until the next row.
    func utf8(_ column: Int) -> UnsafeRawBufferPointer
    /// The bytes of a blob, valid until the next row.
    func blob(_ column: Int) -> UnsafeRawBufferPointer
    /// Whether a value, which is not null, is stored as one of a type, whatever the conversions hide.
    func isStored(as type: FieldType, _ column: Int) -> Bool
}

extension SQLRow {
    func value(of type: FieldType, _ column: Int) -> FieldValue {
        if isNull(column) { return .null }
        return switch type {
        case .string: .string(string(column))
        case .bool: .bool(bool(column))
        case .date: .date(double(column))
        case .int64: .int64(int64(column))
        case .double: .double(double(column))
        case .data: .data(Data(blob(column)))
        }
    }
}

/// What takes the values of a row or of parameters, one after another.
protocol SQLValueSink {
    mutating func append(_ value: Int64) throws
    mutating func append(_ value: Double) throws
    mutating func append(_ value: Bool) throws
    mutating func append(_ value: String) throws
    mutating func append(_ value: Data) throws
    /// Appends a null value of a type.
    mutating func appendNull(_ type: FieldType) throws
    /// Appends a value as one of `type`.
    mutating func append(_ value: FieldValue, as type: FieldType) throws
}

extension SQLValueSink {
    mutating func append(_ values: [SQLValue]) throws {
        for value in values { try append(value.value, as: value.type) }
    }
}
