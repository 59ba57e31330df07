import CPostgres

extension PostgreSQLConnection {
    /// Calls `body` with each row of a query, which has `columns` columns. The rows arrive as the server finds them,
    /// and are not kept.
    ///
    /// A copy costs less for each row, and more as a whole: the server plans it anew each time. So a query that found
    /// few rows the last time is executed as a prepared statement.
    func stream(
        _ query: SQLFragment, _ dialect: PostgreSQLDialect, columns: Int,
        _ body: (StreamedTuple) throws(StoreError) -> Void
    ) throws(StoreError) {
        let statement = query.statement(in: dialect)
        var count = 0
        let counting = { (tuple: StreamedTuple) throws(StoreError) in
            count += 1
            try body(tuple)
        }
        if engine.abilities.contains(.copyOut), !findsFewRows(statement.sql) {
            try copy(query.statement(in: dialect.withoutParameters).sql, columns: columns, counting)
        } else {
            try rows(statement.sql, QueryParameters(statement.bindings), columns, counting)
        }
        note(statement.sql, rows: count)
    }

    /// The rows of an answer that arrive together where the library can join some.
    private static let chunk: Int32 = 1_000

    private func rows(
        _ sql: String, _ parameters: QueryParameters, _ columns: Int,
        _ body: (StreamedTuple) throws(StoreError) -> Void
    ) throws(StoreError) {
        try beginPendingTransaction()
        counts.statements? += 1
        let name = try prepare(sql, parameters.types)
        guard send(name, parameters) == 1, cpostgres_set_streaming(handle, Self.chunk) == 1 else { throw failure(sql) }
        let tuple = StreamedTuple(columns: columns)
        defer { tuple.deallocate() }
        var problem: StoreError?
        while let answer = try nextAnswer(sql) {
            guard answer.hasTuples else {
                problem = problem ?? error(answer, sql)
                continue
            }
            do throws(StoreError) {
                try read(answer, tuple, columns, body)
            } catch {
                // Or else all other rows would still arrive.
                cancel()
                throw error
            }
        }
        if let problem { throw problem }
    }

    private func read(
        _ result: QueryResult, _ tuple: StreamedTuple, _ columns: Int,
        _ body: (StreamedTuple) throws(StoreError) -> Void
    ) throws(StoreError) {
        for row in 0..<Int32(result.count) {
            for column in 0..<columns { tuple.fields[column] = result.bytes(row, column) }
            try body(tuple)
        }
    }
}

/// A row of an answer that is not kept: its values are gone after it.
struct StreamedTuple: BinaryTuple {
    let fields: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>

    init(columns: Int) {
        fields = .allocate(capacity: columns)
        fields.initialize(repeating: nil)
    }

    func deallocate() { fields.deallocate() }

    @inline(__always) func bytes(_ column: Int) -> UnsafeRawBufferPointer? { fields[column] }
}
