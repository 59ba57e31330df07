extension StoreError {
    /// The five characters of PostgreSQL's error code, as `23505`; nil for an error of another origin.
    public var sqlState: String? {
        storeCode.flatMap { $0.domain == StoreCode.postgreSQLDomain ? $0.code : nil }
    }

    /// Whether the server ended a transaction that has every chance to succeed when it is tried again.
    var isWorthRetrying: Bool { sqlState == "40001" || sqlState == "40P01" }

    /// Whether another process made the same table, column or constraint first.
    var isCollision: Bool { ["42P07", "42701", "42710", "23505"].contains(sqlState) }

    /// Makes the error for a code of the SQL standard or of PostgreSQL.
    static func postgreSQL(_ state: String, _ reason: String, store: String, sql: String?) -> StoreError {
        let (code, message): (Code, String) =
            switch state {
            case "57014":
                (
                    .busy,
                    "\(store): the server ended the statement: \(reason); try again, or raise its statement_timeout"
                )
            case "23505":
                (.constraintConflict, "\(store): values that must be unique exist already: \(reason); change them")
            case "40001", "40P01":
                (.busy, "\(store): saves of others came in between, again and again: \(reason); try again")
            case "55P03": (.busy, "\(store): another save holds a lock for longer than the busy timeout; try again")
            case "53300":
                (.busy, "\(store): the server has no connection left: \(reason); lower connectionLimit, or try again")
            case "28P01":
                (.storeFailure, "\(store): \(reason); correct the password, in the URL or in the password file")
            case "28000":
                (.storeFailure, "\(store): \(reason); correct the user in the URL, or the server's pg_hba.conf")
            case "3D000": (.storeFailure, "\(store): \(reason); create the database, or correct the URL")
            case "57P03": (.storeFailure, "\(store): the server is starting or stopping: \(reason); try again")
            case "53100":
                (
                    .diskFull,
                    "\(store): the server's disk is full: \(reason); nothing was saved; free space and save again"
                )
            case "42501":
                (.storeFailure, "\(store): \(reason); grant the user of the URL the right to it")
            case "25006":
                (.storeFailure, "\(store) can only be read: \(reason); connect to the primary server")
            case "42P01", "42703":
                (.incompatibleStore, "\(store): \(reason); another program changed the tables of the store")
            case "54000":
                (
                    .storeFailure,
                    "\(store): a value is longer than the server accepts: \(reason); shorten it, or take its attribute "
                        + "out of the index or uniqueness constraint that is named, if one is"
                )
            default: (.storeFailure, "\(store): \(reason)")
            }
        return StoreError(code, message, sql: sql, storeCode: .postgreSQL(state))
    }
}

extension StoreError.StoreCode {
    fileprivate static let postgreSQLDomain = "PostgreSQL"

    static func postgreSQL(_ state: String) -> StoreError.StoreCode {
        StoreError.StoreCode(domain: postgreSQLDomain, code: state)
    }
}
