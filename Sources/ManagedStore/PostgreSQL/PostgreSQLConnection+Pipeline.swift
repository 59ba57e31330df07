import CPostgres

extension PostgreSQLConnection {
    /// Executes prepared statements without waiting for one's answer before sending the next. After one that fails,
    /// none is executed.
    ///
    /// - Parameter sql: The text that an error names.
    func pipeline(
        _ statements: [(name: String, parameters: QueryParameters)], _ sql: String
    ) throws(StoreError) -> [QueryResult] {
        guard cpostgres_PQenterPipelineMode(handle) == 1 else { throw failure(sql) }
        defer { _ = cpostgres_PQexitPipelineMode(handle) }
        let areSent = statements.allSatisfy { statement in
            statement.parameters.withPointers { values, lengths, formats in
                cpostgres_PQsendQueryPrepared(
                    handle, statement.name, Int32(statement.parameters.count), values, lengths, formats, 1)
            } == 1
        }
        guard areSent, cpostgres_PQpipelineSync(handle) == 1 else { throw failure(sql) }
        var (answers, problem) = ([QueryResult](), StoreError?.none)
        while let answer = nextAnswer() {
            if answer.status == CPOSTGRES_PIPELINE_SYNC.rawValue {
                if let problem { throw problem }
                return answers
            }
            switch answer.status {
            case CPOSTGRES_COMMAND_OK.rawValue, CPOSTGRES_TUPLES_OK.rawValue: answers.append(answer)
            default: problem = problem ?? error(answer, sql)
            }
        }
        throw failure(sql)
    }

    /// Nothing stands between the answers to two statements; twice nothing is the end of the connection.
    private func nextAnswer() -> QueryResult? {
        (cpostgres_PQgetResult(handle) ?? cpostgres_PQgetResult(handle)).map(QueryResult.init)
    }
}
