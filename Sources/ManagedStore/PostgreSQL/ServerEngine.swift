/// What a server can do besides the least that every engine of PostgreSQL's protocol can.
struct ServerAbilities: OptionSet {
    let rawValue: Int

    /// A subquery may refer to the row of the query around it.
    static let correlatedQueries = ServerAbilities(rawValue: 1 << 0)
    /// `COPY ... TO STDOUT (FORMAT BINARY)`.
    static let copyOut = ServerAbilities(rawValue: 1 << 1)
    /// `COPY ... FROM STDIN (FORMAT BINARY)`.
    static let copyIn = ServerAbilities(rawValue: 1 << 2)
    /// Uniqueness constraints that are checked at the end of a transaction.
    static let deferrableConstraints = ServerAbilities(rawValue: 1 << 3)
    /// `pg_advisory_xact_lock`.
    static let advisoryLocks = ServerAbilities(rawValue: 1 << 4)
    /// `SELECT ... FOR KEY SHARE` of any number of rows.
    static let rowLocks = ServerAbilities(rawValue: 1 << 5)
    /// `LISTEN` and `NOTIFY`.
    static let notifications = ServerAbilities(rawValue: 1 << 6)
    /// `COLLATE "C"`. Where it is missing, texts sort by their bytes.
    static let collation = ServerAbilities(rawValue: 1 << 7)
    /// Joins of tables by columns other than those that tell on which node a row lies.
    static let distantJoins = ServerAbilities(rawValue: 1 << 8)

    /// What PostgreSQL can do.
    static let all = ServerAbilities(rawValue: (1 << 9) - 1)
}

/// What answers at an address: PostgreSQL, or another engine that speaks its protocol.
struct ServerEngine: Equatable {
    let name: String
    let abilities: ServerAbilities

    static let postgreSQL = ServerEngine(name: "PostgreSQL", abilities: .all)
    static let aurora = ServerEngine(name: "Aurora", abilities: .all)

    /// Source: "SQL Support and Workarounds" of the documentation of Citus 14. Uniqueness constraints that cover more
    /// than one shard are refused, so tables with constraints stay on the coordinator. So are joins that would move
    /// rows between nodes, unless a setting allows them.
    static let citus = ServerEngine(
        name: "Citus",
        abilities: .all.subtracting([.correlatedQueries, .deferrableConstraints, .rowLocks, .distantJoins]))

    /// Source: "PostgreSQL Compatibility" and "COPY" of the documentation of CockroachDB 24. Functions for advisory
    /// locks exist there, but do not lock.
    static let cockroachDB = ServerEngine(
        name: "CockroachDB", abilities: [.correlatedQueries, .copyIn, .rowLocks, .distantJoins])

    /// Source: "PostgreSQL compatibility" of the documentation of YugabyteDB 2024. Later versions can do more.
    static let yugabyteDB = ServerEngine(
        name: "YugabyteDB",
        abilities: [.correlatedQueries, .copyOut, .copyIn, .rowLocks, .collation, .distantJoins])

    /// What every engine needs to have, of which nothing else is known.
    static let unknown = ServerEngine(name: "unknown", abilities: [.collation])

    /// Asks what answers.
    static func ask(_ connection: PostgreSQLConnection) throws(StoreError) -> ServerEngine {
        let engine = engine(try connection.query("SELECT version()")[0].string(0))
        guard engine == .postgreSQL else { return engine }
        // These extend PostgreSQL, and give its version.
        let extensions = try connection.query(
            "SELECT to_regproc('citus_version') IS NOT NULL, to_regproc('aurora_version') IS NOT NULL")[0]
        if extensions.int64(0) != 0 { return .citus }
        return extensions.int64(1) != 0 ? .aurora : .postgreSQL
    }

    /// Programs that began as PostgreSQL of an old version, and say so.
    private static let relatives = ["Greenplum", "Redshift", "Materialize", "RisingWave"]

    /// Returns the engine that describes itself by `version`, such as `PostgreSQL 15.14 on x86_64-pc-linux-gnu`.
    static func engine(_ version: String) -> ServerEngine {
        if version.hasPrefix("CockroachDB") { return .cockroachDB }
        guard version.hasPrefix("PostgreSQL"), !relatives.contains(where: version.contains) else { return .unknown }
        return version.contains("-YB-") ? .yugabyteDB : .postgreSQL
    }
}
