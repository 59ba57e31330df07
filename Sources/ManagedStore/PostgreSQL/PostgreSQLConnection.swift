import CPostgres
import Dispatch
import Foundation
import Locking

/// One connection to a server, used by one thread at a time, which the pool ensures.
final class PostgreSQLConnection: @unchecked Sendable {
    // Unchecked: handed between threads under the pool's lock; only `cancel()` may be called from any thread.
    let handle: OpaquePointer
    /// Another descriptor of the socket, which stays when the client library closes its own.
    let socket: CInt
    let address: ServerAddress
    let options: PostgreSQLStoreOptions
    /// What answers. Asked for once by the store.
    private(set) var engine = ServerEngine.unknown
    /// The names of prepared statements by their text.
    private var statements: [String: String] = [:]
    /// The texts of queries that found few rows the last time.
    private var smallQueries: Set<String> = []
    private var prepared = 0
    var counts = StoreStatistics(statements: 0, rows: 0, conflicts: 0)
    /// Whether the connection was closed to cancel a statement.
    private let wasCancelled = Locked(false)
    /// Why the connection was closed, if the server said nothing for too long.
    var silence: String?
    /// The transaction that begins together with the next statement, so that no answer is waited for in between.
    var pendingTransaction: IsolationLevel?
    /// What the current transaction wrote to tell later whether it was committed.
    var token: CommitToken?
    /// The name of the connection in its tokens, and how many there were.
    private let tokenName: String
    private var tokens: Int64 = 0
    /// Whether a transaction was to be committed, so that what it did must not be done once more.
    var hasSentCommit = false

    private static let cachedStatements = 100
    /// Longer texts are not prepared: few of them are sent twice.
    private static let longText = 1 << 14

    /// Connects.
    ///
    /// - Parameters:
    ///   - engine: What answers at the address, if that is known.
    ///   - tokenName: The name of the connection in its tokens.
    /// - Throws: `StoreError` with `storeFailure`.
    init(
        _ address: ServerAddress, _ options: PostgreSQLStoreOptions, engine: ServerEngine? = nil,
        tokenName: String = UUID().uuidString
    ) throws(StoreError) {
        if let reason = cpostgres_bind() {
            throw StoreError(
                .storeFailure, "\(address.name): \(String(cString: reason)); install it, as with apt-get install libpq5"
            )
        }
        let opened = try Self.connect(address, options)
        (handle, self.address, self.options, self.tokenName) = (opened, address, options, tokenName)
        socket = fcntl(cpostgres_PQsocket(opened), F_DUPFD_CLOEXEC, 0)
        guard socket >= 0, cpostgres_PQsetnonblocking(opened, 1) == 0 else {
            throw StoreError(
                .storeFailure, "\(address.name): the connection cannot be used; raise the limit of open files")
        }
        _ = cpostgres_PQsetNoticeProcessor(opened, cpostgres_ignore_notice, nil)
        try execute(
            // The server may have other defaults.
            "SET standard_conforming_strings = on; SET default_transaction_isolation = 'read committed'; "
                + "SET lock_timeout = \(options.lockTimeoutMilliseconds)")
        // A statement ends soon after its client has closed the connection, instead of when it has something to say.
        // Not every system of a server can tell.
        if serverVersion >= 140_000 { _ = try? execute("SET client_connection_check_interval = 1000") }
        if let engine { self.engine = engine } else { self.engine = try .ask(self) }
        counts = StoreStatistics(statements: 0, rows: 0, conflicts: 0)
    }

    deinit {
        cpostgres_PQfinish(handle)
        if socket >= 0 { close(socket) }
    }

    /// Connects. The client library itself does not wait for longer than the limit, at each address of the server.
    private static func connect(
        _ address: ServerAddress, _ options: PostgreSQLStoreOptions
    ) throws(StoreError) -> OpaquePointer {
        let settings = [
            ("connect_timeout", "\(options.connectLimitSeconds)"), ("fallback_application_name", "ManagedStore"),
            // A network that swallows everything is noticed after about half a minute: by what is not received, and
            // while an answer is awaited, by probes.
            ("keepalives_idle", "20"), ("keepalives_interval", "10"), ("tcp_user_timeout", "30000"),
            ("dbname", address.connectionString), ("client_encoding", "UTF8"),
        ]
        let opened = withCStrings(settings.map(\.0)) { keywords in
            withCStrings(settings.map(\.1)) { values in cpostgres_PQconnectdbParams(keywords, values, 1) }
        }
        guard let opened else { throw StoreError(.storeFailure, "\(address.name): out of memory") }
        guard cpostgres_PQstatus(opened) == CPOSTGRES_CONNECTION_OK.rawValue else {
            let reason = address.redacted(String(cString: cpostgres_PQerrorMessage(opened)))
            cpostgres_PQfinish(opened)
            throw StoreError.refusedConnection(reason, store: address.name)
        }
        return opened
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { body($0.baseAddress!) }
    }

    /// The server's version, such as 150018.
    var serverVersion: Int { Int(cpostgres_PQserverVersion(handle)) }

    /// Whether the server ended the connection, or cannot be reached any more. Another connection may do better.
    var wasEnded: Bool {
        cpostgres_PQstatus(handle) != CPOSTGRES_CONNECTION_OK.rawValue && silence == nil && !wasCancelled.value
    }

    /// Whether the connection is of no use any more.
    var isLost: Bool {
        cpostgres_PQstatus(handle) != CPOSTGRES_CONNECTION_OK.rawValue || silence != nil || wasCancelled.value
    }

    /// Whether another request can use the connection.
    var isReusable: Bool { !isLost && !isInTransaction }

    /// Ends the current statement; callable from any thread.
    ///
    /// Closing the connection wakes the thread that waits for an answer, and has the server end the statement. A
    /// request to cancel it would itself have to wait for the server.
    func cancel() {
        wasCancelled.exchange(true)
        disconnect()
    }

    /// Has the socket deliver nothing any more. The client library closes it with the connection.
    func disconnect() { shutdown(socket, CInt(SHUT_RDWR)) }

    /// Returns the token that the next transaction is to write.
    func nextToken() -> CommitToken {
        tokens += 1
        return CommitToken(connection: tokenName, number: tokens)
    }

    func setting(_ name: String) -> String? {
        cpostgres_PQparameterStatus(handle, name).map { String(cString: $0) }
    }
}

// MARK: - Statements

extension PostgreSQLConnection {
    /// Executes statements that return no rows and take no parameters.
    func execute(_ sql: String) throws(StoreError) {
        try beginPendingTransaction()
        counts.statements? += 1
        _ = try lastAnswer(cpostgres_PQsendQuery(handle, sql), sql)
    }

    /// Executes a statement. Equal texts are prepared once.
    func query(_ sql: String, _ parameters: QueryParameters = QueryParameters()) throws(StoreError) -> QueryResult {
        if let level = pendingTransaction, cpostgres_has_pipelines() != 0 {
            return try query(sql, parameters, beginning: level)
        }
        try beginPendingTransaction()
        counts.statements? += 1
        let name = try prepare(sql, parameters.types)
        return try lastAnswer(send(name, parameters), sql)
    }

    /// Sends a prepared statement. Returns 1 on success.
    func send(_ name: String, _ parameters: QueryParameters) -> CInt {
        parameters.withPointers { values, lengths, formats in
            cpostgres_PQsendQueryPrepared(handle, name, Int32(parameters.count), values, lengths, formats, 1)
        }
    }

    /// Executes a fragment with values for its parameters.
    func query(_ fragment: SQLFragment, _ dialect: PostgreSQLDialect) throws(StoreError) -> QueryResult {
        let statement = fragment.statement(in: dialect)
        return try query(statement.sql, QueryParameters(statement.bindings))
    }

    /// Makes room for some more prepared statements.
    func makeRoom(for count: Int) throws(StoreError) {
        guard statements.count + count > Self.cachedStatements else { return }
        statements = [:]
        // Before a pending transaction, whose beginning prepares a statement.
        counts.statements? += 1
        let sql = "DEALLOCATE ALL"
        _ = try lastAnswer(cpostgres_PQsendQuery(handle, sql), sql)
    }

    /// The most rows of a query for which it pays to be prepared.
    private static let fewRows = 100

    func findsFewRows(_ sql: String) -> Bool { smallQueries.contains(sql) }

    /// Notes how many rows a query found.
    func note(_ sql: String, rows count: Int) {
        if count > Self.fewRows {
            smallQueries.remove(sql)
        } else if sql.utf8.count <= Self.longText {
            if smallQueries.count >= Self.cachedStatements { smallQueries = [] }
            smallQueries.insert(sql)
        }
    }

    /// Returns the name under which a statement is prepared.
    func prepare(_ sql: String, _ types: [Oid] = []) throws(StoreError) -> String {
        if let name = statements[sql] { return name }
        // The statement without a name lives until the next one.
        let isLong = sql.utf8.count > Self.longText
        if !isLong { try makeRoom(for: 1) }
        prepared += 1
        let name = isLong ? "" : "s\(prepared)"
        _ = try lastAnswer(cpostgres_PQsendPrepare(handle, name, sql, Int32(types.count), types), sql)
        if !isLong { statements[sql] = name }
        return name
    }

    /// Returns the result, or throws what it reports.
    func checked(_ result: QueryResult, _ sql: String) throws(StoreError) -> QueryResult {
        switch result.status {
        case CPOSTGRES_COMMAND_OK.rawValue, CPOSTGRES_TUPLES_OK.rawValue, CPOSTGRES_COPY_IN.rawValue,
            CPOSTGRES_COPY_OUT.rawValue:
            return result
        default: throw error(result, sql)
        }
    }

    /// Returns the error that a result reports.
    func error(_ result: QueryResult, _ sql: String) -> StoreError {
        guard let state = result.errorField(CPOSTGRES_ERROR_STATE) else { return failure(sql) }
        let reason = [CPOSTGRES_ERROR_MESSAGE, CPOSTGRES_ERROR_DETAIL].compactMap(result.errorField)
            .map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }.joined(separator: ": ")
        return StoreError.postgreSQL(state, reason, store: address.name, sql: Self.shortened(sql))
    }

    /// Returns the error of the connection itself.
    func failure(_ sql: String) -> StoreError {
        if wasCancelled.value { return .cancelled }
        let code = StoreError.StoreCode.postgreSQL("08006")
        if let silence {
            return StoreError(
                .timeout,
                "\(address.name): \(silence), so the connection was closed; try again, or allow more time with "
                    + "responseTimeoutMilliseconds", sql: Self.shortened(sql), storeCode: code)
        }
        return StoreError(
            .storeFailure, "the connection to \(address.name) was lost: \(lastMessage); try again",
            sql: Self.shortened(sql), storeCode: code)
    }

    /// What ended the connection, or what the client library said last.
    var lastMessage: String { silence ?? address.redacted(String(cString: cpostgres_PQerrorMessage(handle))) }

    /// Statements with values in their text may have megabytes.
    private static func shortened(_ sql: String) -> String {
        sql.utf8.count > 1_000 ? String(sql.prefix(1_000)) + "..." : sql
    }

    func countRows(_ rows: Int) { counts.rows? += rows }
    func countConflicts(_ conflicts: Int) { counts.conflicts? += conflicts }

    /// Returns the counts since the last call.
    func takeCounts() -> StoreStatistics {
        defer { counts = StoreStatistics(statements: 0, rows: 0, conflicts: 0) }
        return counts
    }
}
