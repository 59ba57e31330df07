import CPostgres

extension ServerConnection {
    /// The number of statements that are sent before the first of their answers is read.
    private static var pipelineLength: Int { 256 }

    /// Runs a statement once for each of `count` sets of parameters, without waiting for each answer.
    ///
    /// - Parameters:
    ///   - bind: Appends the parameters of the run with a number.
    ///   - check: Takes the number of rows that a run changed.
    func pipeline(
        _ sql: String, count: Int, bind: (Int, inout ServerValues) throws -> Void,
        check: (_ number: Int, _ affected: Int) throws -> Void
    ) throws {
        guard count > 0 else { return }
        var values = ServerValues()
        try bind(0, &values)
        let name = try prepare(sql, values.types)
        for start in stride(from: 0, to: count, by: Self.pipelineLength) {
            let numbers = start..<min(start + Self.pipelineLength, count)
            if cpostgres_has_pipelines() != 0 {
                try pipeline(name, sql, numbers, &values, bind, check)
            } else {
                for number in numbers {
                    values.removeAll()
                    try bind(number, &values)
                    try check(number, run(sql, values).affected)
                }
            }
        }
    }

    private func pipeline(
        _ name: String, _ sql: String, _ numbers: Range<Int>, _ values: inout ServerValues,
        _ bind: (Int, inout ServerValues) throws -> Void, _ check: (Int, Int) throws -> Void
    ) throws {
        guard cpostgres_PQenterPipelineMode(handle) == 1 else { throw failure(sql) }
        defer { _ = cpostgres_PQexitPipelineMode(handle) }
        didSend(numbers.count)
        var problem: (any Error)?
        do {
            for number in numbers {
                values.removeAll()
                try bind(number, &values)
                let sent = values.withPointers { cpostgres_PQsendQueryPrepared(handle, name, $0, $1, $2, $3, 1) }
                guard sent == 1 else { throw failure(sql) }
            }
        } catch {
            problem = error
        }
        guard cpostgres_PQpipelineSync(handle) == 1 else { throw problem ?? failure(sql) }
        var next = numbers.lowerBound
        while true {
            // Nothing stands between the answers to two statements; twice nothing is the end of the connection.
            guard let answer = cpostgres_PQgetResult(handle) ?? cpostgres_PQgetResult(handle) else {
                throw problem ?? failure(sql)
            }
            let owned = ServerAnswer(answer)
            if owned.status == CPOSTGRES_PIPELINE_SYNC.rawValue { break }
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
        if let problem { throw problem }
    }
}
