import CPostgres

extension ServerConnection {
    /// The number of statements that are sent together. The answers to them are read while the server executes the
    /// next ones.
    private static var pipelineLength: Int { 256 }

    /// Runs a statement once for each of `count` sets of parameters, without waiting for each answer.
    ///
    /// - Parameters:
    ///   - bind: Appends the parameters of the run with a number.
    ///   - check: Takes the number of rows that a run changed.
    func runEach(
        _ sql: String, count: Int, bind: (Int, inout ServerValues) throws -> Void,
        check: (_ number: Int, _ affected: Int) throws -> Void
    ) throws {
        if count == 0 { return }
        if count == 1 { return try check(0, run(sql) { try bind(0, &$0) }) }
        // The first parameters have the types by which the statement is prepared.
        var values = ServerValues()
        try bind(0, &values)
        let name = try prepare(sql, values.types)
        guard cpostgres_has_pipelines() != 0 else {
            for number in 0..<count {
                if number > 0 { try rebind(number, &values, bind) }
                try check(number, run(sql, values).affected)
            }
            return
        }
        guard cpostgres_PQenterPipelineMode(handle) == 1 else { throw failure(sql) }
        defer { _ = cpostgres_PQexitPipelineMode(handle) }
        var (awaited, problem) = (0..<0, (any Error)?.none)
        for start in stride(from: 0, to: count, by: Self.pipelineLength) where problem == nil {
            let numbers = start..<min(start + Self.pipelineLength, count)
            do {
                try send(name, sql, numbers, &values, bind)
            } catch {
                problem = error
            }
            guard cpostgres_PQpipelineSync(handle) == 1 else { throw problem ?? failure(sql) }
            if start > 0 { try readAnswers(to: awaited, sql, &problem, check) }
            awaited = numbers
        }
        try readAnswers(to: awaited, sql, &problem, check)
        if let problem { throw problem }
    }

    private func send(
        _ name: String, _ sql: String, _ numbers: Range<Int>, _ values: inout ServerValues,
        _ bind: (Int, inout ServerValues) throws -> Void
    ) throws {
        didSend(numbers.count)
        for number in numbers {
            if number > 0 { try rebind(number, &values, bind) }
            let sent = values.withPointers { cpostgres_PQsendQueryPrepared(handle, name, $0, $1, $2, $3, 1) }
            guard sent == 1 else { throw failure(sql) }
        }
    }

    private func rebind(
        _ number: Int, _ values: inout ServerValues, _ bind: (Int, inout ServerValues) throws -> Void
    ) throws {
        values.removeAll()
        try bind(number, &values)
    }

    /// Reads the answers to statements that were sent together.
    ///
    /// - Parameter problem: Becomes the first error of them; after one, answers are only skipped.
    private func readAnswers(
        to numbers: Range<Int>, _ sql: String, _ problem: inout (any Error)?, _ check: (Int, Int) throws -> Void
    ) throws {
        var next = numbers.lowerBound
        while true {
            // Nothing stands between the answers to two statements; twice nothing is the end of the connection.
            guard let answer = cpostgres_PQgetResult(handle) ?? cpostgres_PQgetResult(handle) else {
                throw problem ?? failure(sql)
            }
            let owned = ServerAnswer(answer)
            if owned.status == CPOSTGRES_PIPELINE_SYNC.rawValue { return }
            guard problem == nil else { continue }
            do {
                guard owned.status == CPOSTGRES_COMMAND_OK.rawValue || owned.status == CPOSTGRES_TUPLES_OK.rawValue
                else { throw error(answer, sql) }
                didRead(owned.affected)
                try check(next, owned.affected)
            } catch {
                problem = error
            }
            next += 1
        }
    }
}
