/// A row that a transaction writes, which tells later whether the transaction was committed, if its connection was lost
/// before the server answered.
///
/// The server's own number of a transaction would not: after a crash it may be another one's. And only PostgreSQL says
/// what became of a number.
struct CommitToken {
    /// The connection; each has one row.
    let connection: String
    /// Counts the connection's transactions.
    let number: Int64

    static let tableName = "Z_COMMIT"
    static let creation = """
        CREATE TABLE "Z_COMMIT" ("Z_CONNECTION" text PRIMARY KEY, "Z_NUMBER" bigint, "Z_TIME" timestamptz)
        """

    /// The statement of the transaction.
    static let statement = """
        INSERT INTO "Z_COMMIT" VALUES ($1, $2, now()) \
        ON CONFLICT ("Z_CONNECTION") DO UPDATE SET "Z_NUMBER" = excluded."Z_NUMBER", "Z_TIME" = excluded."Z_TIME"
        """

    /// The parameters of the statement.
    var parameters: QueryParameters {
        var parameters = QueryParameters()
        parameters.append(connection)
        parameters.append(number)
        return parameters
    }

    /// Whether the transaction was committed. Asking writes, so that the server first waits for the end of a
    /// transaction in progress.
    ///
    /// - Throws: `StoreError` with `busy` if that takes longer than the busy timeout.
    func isCommitted(_ connection: PostgreSQLConnection) throws(StoreError) -> Bool {
        let sql = """
            INSERT INTO "Z_COMMIT" VALUES ($1, $2, now()) \
            ON CONFLICT ("Z_CONNECTION") DO UPDATE SET "Z_NUMBER" = "Z_COMMIT"."Z_NUMBER" RETURNING "Z_NUMBER"
            """
        let other = CommitToken(connection: self.connection, number: 0)
        return try connection.query(sql, other.parameters)[0].int64(0) == number
    }

    /// Removes the tokens of a process that needs them no more.
    static func remove(of process: String, _ connection: PostgreSQLConnection) throws(StoreError) {
        var parameters = QueryParameters()
        parameters.append(process)
        _ = try connection.query("DELETE FROM \"Z_COMMIT\" WHERE left(\"Z_CONNECTION\", length($1)) = $1", parameters)
    }

    /// Removes tokens that killed processes and replaced connections left behind. No doubt lasts for a day.
    static func removeOld(_ connection: PostgreSQLConnection) throws(StoreError) {
        try connection.execute("DELETE FROM \"Z_COMMIT\" WHERE \"Z_TIME\" < now() - interval '1 day'")
    }
}
