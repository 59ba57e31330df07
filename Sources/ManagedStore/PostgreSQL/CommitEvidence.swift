import Foundation

/// What tells later whether a transaction was committed whose connection was lost before the server answered.
enum CommitEvidence: Equatable {
    /// The server's number of the transaction.
    case number(Int64)
    /// A row that the transaction wrote: the save `number` of a connection. For servers that do not know what became of
    /// their transactions.
    case token(connection: String, number: Int64)

    /// The statement that creates the table of tokens.
    static let table =
        "CREATE TABLE IF NOT EXISTS \"Z_COMMIT\" (\"Z_CONNECTION\" text PRIMARY KEY, \"Z_NUMBER\" bigint)"

    /// The statement that asks for the number of the current transaction.
    static let numberQuery = "SELECT txid_current()"

    /// The statement that writes a token, in the place of the one before of the same connection.
    static let tokenStatement = """
        INSERT INTO "Z_COMMIT" ("Z_CONNECTION", "Z_NUMBER") VALUES ($1, $2) \
        ON CONFLICT ("Z_CONNECTION") DO UPDATE SET "Z_NUMBER" = excluded."Z_NUMBER"
        """

    /// The parameters of ``tokenStatement``, or of the question for the outcome.
    var parameters: QueryParameters {
        var parameters = QueryParameters()
        switch self {
        case .number(let number): parameters.append(number)
        case .token(let connection, let number):
            parameters.append(Array(connection.utf8), .text)
            parameters.append(number)
        }
        return parameters
    }

    /// What became of a transaction.
    enum Outcome {
        case committed, aborted
    }

    /// Asks for the outcome. Nil if the transaction is in progress, or if the server does not know it any more.
    func outcome(_ connection: PostgreSQLConnection) throws(StoreError) -> Outcome? {
        switch self {
        case .number:
            return switch try connection.query("SELECT txid_status($1)", parameters)[0].string(0) {
            case "committed": .committed
            case "aborted": .aborted
            default: nil
            }
        case .token(let name, let number):
            // Writing makes the server wait until the transaction has ended, whose row this is.
            let sql = """
                INSERT INTO "Z_COMMIT" ("Z_CONNECTION", "Z_NUMBER") VALUES ($1, $2) \
                ON CONFLICT ("Z_CONNECTION") DO UPDATE SET "Z_NUMBER" = "Z_COMMIT"."Z_NUMBER" RETURNING "Z_NUMBER"
                """
            let other = CommitEvidence.token(connection: name, number: 0).parameters
            return try connection.query(sql, other)[0].int64(0) == number ? .committed : .aborted
        }
    }
}
