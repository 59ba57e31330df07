import BenchHarness
import Foundation

extension PlainConnection: SQLConnection {
    static var hasOneWriter: Bool { true }
    /// A transaction that is about to write must ask for the file's lock first.
    static var commitsStatements: Bool { false }

    func statement(named name: String, _ sql: @autoclosure () -> String) throws -> PlainStatement {
        try kept(name, sql: sql())
    }

    func ownStatement(_ sql: String) throws -> PlainStatement { try prepare(sql) }

    @inline(__always)
    func run(_ statement: PlainStatement, _ bind: (inout StatementValues) throws -> Void) throws -> Int {
        var values = StatementValues(statement)
        try bind(&values)
        try statement.run()
        return statement.changes
    }

    @inline(__always)
    func runEach(
        _ statement: PlainStatement, count: Int, bind: (Int, inout StatementValues) throws -> Void
    ) throws {
        var values = StatementValues(statement)
        for number in 0..<count {
            values.next = 1
            try bind(number, &values)
            try statement.run()
        }
    }

    @inline(__always)
    func runEach(
        _ statement: PlainStatement, count: Int, bind: (Int, inout StatementValues) throws -> Void,
        check: (_ number: Int, _ affected: Int) throws -> Void
    ) throws {
        var values = StatementValues(statement)
        for number in 0..<count {
            values.next = 1
            try bind(number, &values)
            try statement.run()
            try check(number, statement.changes)
        }
    }

    @inline(__always)
    func read(
        _ statement: PlainStatement, _ bind: (inout StatementValues) throws -> Void,
        row body: (PlainStatement) throws -> Void
    ) throws {
        var values = StatementValues(statement)
        try bind(&values)
        defer { statement.reset() }
        try statement.readAll(body)
    }

    /// Leaves each run of the statement at its row.
    @inline(__always)
    func readOne(
        _ statement: PlainStatement, for keys: [Int64], row body: (PlainStatement) throws -> Void
    ) throws {
        var found = 0
        for key in keys {
            try statement.bind(key, at: 1)
            if try statement.step() {
                try body(statement)
                found += 1
            }
            statement.reset()
        }
        statement.didRead(found)
    }

    @inline(__always)
    func read(_ statement: PlainStatement, keys: [Int64], row body: (PlainStatement) throws -> Void) throws {
        try readOne(statement, for: keys, row: body)
    }

    @inline(__always)
    func read(_ query: SQLQuery, isKept: Bool, row body: (PlainStatement) throws -> Void) throws {
        let statement = try isKept ? kept(query.sql) : prepare(query.sql)
        try statement.bind(query)
        try statement.readAll(body)
    }

    func execute(_ query: SQLQuery) throws {
        let statement = try prepare(query.sql)
        try statement.bind(query)
        while try statement.step() {}
    }

    func integer(_ query: SQLQuery) throws -> Int64? {
        let statement = try prepare(query.sql)
        try statement.bind(query)
        return try statement.step() ? statement.int64(0) : nil
    }
}

extension PlainStatement {
    /// Calls `body` with each row.
    @inline(__always)
    func readAll(_ body: (PlainStatement) throws -> Void) throws {
        var count = 0
        while try step() {
            try body(self)
            count += 1
        }
        didRead(count)
    }

    /// Binds the values of a query.
    func bind(_ query: SQLQuery) throws {
        var values = StatementValues(self)
        try values.append(query.values)
    }
}

/// Binds the parameters of a statement, one after another.
struct StatementValues: SQLValueSink {
    private let statement: PlainStatement
    /// The number of the next parameter.
    var next: Int32 = 1

    @inline(__always)
    init(_ statement: PlainStatement) { self.statement = statement }

    @inline(__always)
    mutating func append(_ value: Int64) throws {
        try statement.bind(value, at: next)
        next += 1
    }

    @inline(__always)
    mutating func append(_ value: Double) throws {
        try statement.bind(value, at: next)
        next += 1
    }

    @inline(__always)
    mutating func append(_ value: Bool) throws {
        try statement.bind(value, at: next)
        next += 1
    }

    @inline(__always)
    mutating func append(_ value: String) throws {
        try statement.bind(value, at: next)
        next += 1
    }

    @inline(__always)
    mutating func append(_ value: Data) throws {
        try statement.bind(value, at: next)
        next += 1
    }

    @inline(__always)
    mutating func appendNull(_ type: FieldType) throws {
        try statement.bindNull(at: next)
        next += 1
    }

    /// SQLite converts a value itself where a column has another type.
    mutating func append(_ value: FieldValue, as type: FieldType) throws {
        try statement.bind(value, at: next)
        next += 1
    }
}
