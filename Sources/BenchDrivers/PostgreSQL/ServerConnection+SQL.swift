import BenchHarness

extension ServerConnection: SQLConnection {
    static var hasOneWriter: Bool { false }
    static var commitsStatements: Bool { true }

    // A statement is prepared at its first run, when the types of its parameters are known.

    func statement(named name: String, _ sql: @autoclosure () -> String) -> String { sql() }
    func ownStatement(_ sql: String) -> String { sql }

    @discardableResult
    func run(_ statement: String, _ bind: (inout ServerValues) throws -> Void) throws -> Int {
        var values = ServerValues()
        try bind(&values)
        return try run(statement, values).affected
    }

    func runEach(_ statement: String, count: Int, bind: (Int, inout ServerValues) throws -> Void) throws {
        try runEach(statement, count: count, bind: bind) { _, _ in }
    }

    func read(
        _ statement: String, _ bind: (inout ServerValues) throws -> Void, row body: (AnswerRow) throws -> Void
    ) throws {
        var values = ServerValues()
        try bind(&values)
        let answer = try run(statement, values)
        didRead(answer.rows)
        for number in 0..<answer.rows { try body(answer.row(number)) }
    }

    func readOne(_ statement: String, for keys: [Int64], row body: (AnswerRow) throws -> Void) throws {
        for key in keys { try read(statement, { $0.append(key) }, row: body) }
    }

    func read(_ statement: String, keys: [Int64], row body: (AnswerRow) throws -> Void) throws {
        if keys.isEmpty { return }
        var values = ServerValues()
        values.append(ServerArray(keys))
        try stream(statement, values, body)
    }

    func read(_ query: SQLQuery, isKept: Bool, row body: (AnswerRow) throws -> Void) throws {
        try stream(query.sql, ServerValues(query), body)
    }

    func execute(_ query: SQLQuery) throws { try run(query.sql, ServerValues(query)) }

    func integer(_ query: SQLQuery) throws -> Int64? { try integer(query.sql, ServerValues(query)) }
}

extension ServerValues {
    fileprivate init(_ query: SQLQuery) {
        self.init()
        for value in query.values { append(value.value, as: value.type) }
    }
}
