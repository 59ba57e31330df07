extension StoreError {
    /// Makes the error for a connection that could not be made.
    ///
    /// The client library hands over the text of the server, but not its code. A text in another language than English
    /// is one of many reasons.
    static func refusedConnection(_ reason: String, store: String) -> StoreError {
        if let known = knownRefusals.first(where: { $0.parts.allSatisfy { reason.contains($0) } }) {
            return postgreSQL(known.state, reason, store: store, sql: nil)
        }
        return StoreError(
            .storeFailure, "\(store) cannot be reached: \(reason); check the URL, and that the server runs")
    }

    /// Parts of texts of the server and the client library, and the codes of the server for them.
    private static let knownRefusals: [(parts: [String], state: String)] = [
        (["too many clients already"], "53300"), (["connection slots are reserved"], "53300"),
        (["too many connections for "], "53300"), (["password authentication failed"], "28P01"),
        (["no password supplied"], "28P01"), (["no pg_hba.conf entry"], "28000"),
        (["is not permitted to log in"], "28000"), (["role \"", "\" does not exist"], "28000"),
        (["database \"", "\" does not exist"], "3D000"), (["permission denied for database"], "42501"),
        (["the database system is "], "57P03"),
    ]
}
