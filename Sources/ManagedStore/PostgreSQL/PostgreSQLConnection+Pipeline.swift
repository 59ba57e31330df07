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
        let areSent = statements.allSatisfy { send($0.name, $0.parameters) == 1 }
        guard areSent, cpostgres_PQpipelineSync(handle) == 1 else { throw failure(sql) }
        var (answers, problem) = ([QueryResult](), StoreError?.none)
        while let answer = try nextPipelined(sql) {
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
    private func nextPipelined(_ sql: String) throws(StoreError) -> QueryResult? {
        if let answer = try nextAnswer(sql) { return answer }
        return try nextAnswer(sql)
    }
}
