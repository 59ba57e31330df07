import BenchHarness
import CPostgres
import Foundation

/// One connection to a server. Its owner must ensure that only one thread at a time uses it.
///
/// Unchecked for that reason: a session gives each connection to one queue, thread or lock. ``interrupt()`` is the only
/// call from elsewhere, and libpq documents it as safe from any thread.
package final class ServerConnection: @unchecked Sendable {
    let handle: OpaquePointer
    private let canceller: OpaquePointer?
    /// The names of the statements that are prepared, by their texts.
    private var prepared: [String: String] = [:]
    private var isOpen = true
    private(set) var statements = 0
    private(set) var rows = 0
    /// Saves refused because another writer had changed a record.
    var conflicts = 0

    init(_ address: URL) throws {
        let place = StoreAddress.name(address)
        if let reason = cpostgres_bind() {
            throw DriverError(
                .other(0), "\(place): \(String(cString: reason)); install it, as with apt-get install libpq5")
        }
        let opened = Self.open(address.absoluteString)
        guard let opened else { throw DriverError(.other(0), "\(place): out of memory") }
        guard cpostgres_PQstatus(opened) == CPOSTGRES_CONNECTION_OK.rawValue else {
            let reason = Self.line(String(cString: cpostgres_PQerrorMessage(opened)))
            cpostgres_PQfinish(opened)
            // A server that refuses one more connection is there. The library does not hand over its code.
            let isFull = ["too many", "slots are reserved"].contains { reason.contains($0) }
            throw DriverError(
                isFull ? .other(0) : .unreachable,
                "\(place) cannot be reached: \(reason); check the URL, and that the server runs")
        }
        handle = opened
        canceller = cpostgres_PQgetCancel(opened)
        _ = cpostgres_PQsetNoticeProcessor(opened, cpostgres_ignore_notice, nil)
    }

    deinit {
        cpostgres_PQfreeCancel(canceller)
        if isOpen { cpostgres_PQfinish(handle) }
    }

    private static func open(_ address: String) -> OpaquePointer? {
        let settings = [
            ("connect_timeout", "10"),
            // A network that swallows everything is noticed after about half a minute.
            ("keepalives_idle", "20"), ("keepalives_interval", "10"), ("tcp_user_timeout", "30000"),
            ("dbname", address), ("fallback_application_name", "bench"), ("client_encoding", "UTF8"),
        ]
        let (keys, values) = (settings.map { strdup($0.0) }, settings.map { strdup($0.1) })
        defer { (keys + values).forEach { free($0) } }
        return (keys.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { keys in
            (values.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { values in
                cpostgres_PQconnectdbParams(keys.baseAddress, values.baseAddress, 1)
            }
        }
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        cpostgres_PQfinish(handle)
    }

    /// Has the server asked to end the statement that runs.
    func interrupt() {
        var message = [CChar](repeating: 0, count: 256)
        _ = cpostgres_PQcancel(canceller, &message, Int32(message.count))
    }

    /// The server's version, such as 150018.
    var serverVersion: Int { Int(cpostgres_PQserverVersion(handle)) }

    func didRead(_ rows: Int) { self.rows += rows }
    func didSend(_ statements: Int) { self.statements += statements }

    var counters: StoreCounters { StoreCounters(statements: statements, rows: rows, conflicts: conflicts) }

    func resetCounters() { (statements, rows, conflicts) = (0, 0, 0) }
}

// MARK: Statements

extension ServerConnection {
    /// Runs statements that have no parameters, and skips their rows.
    func execute(_ sql: String) throws {
        statements += 1
        try check(cpostgres_PQexec(handle, sql), sql)
    }

    /// Runs a statement, which is prepared at its first use, and counts the rows that it changes.
    @discardableResult
    func run(_ sql: String, _ values: ServerValues = ServerValues()) throws -> ServerAnswer {
        statements += 1
        let name = try prepare(sql, values.types)
        let answer = values.withPointers { cpostgres_PQexecPrepared(handle, name, $0, $1, $2, $3, 1) }
        let found = try check(answer, sql)
        // Rows that are read count where they are taken.
        if found.status == CPOSTGRES_COMMAND_OK.rawValue { rows += found.affected }
        return found
    }

    /// Calls `body` with each row of a statement as it arrives.
    func stream(
        _ sql: String, _ values: ServerValues = ServerValues(), _ body: (AnswerRow) throws -> Void
    ) throws {
        statements += 1
        let name = try prepare(sql, values.types)
        let sent = values.withPointers { cpostgres_PQsendQueryPrepared(handle, name, $0, $1, $2, $3, 1) }
        guard sent == 1, cpostgres_PQsetSingleRowMode(handle) == 1 else { throw failure(sql) }
        var (count, problem) = (0, (any Error)?.none)
        while let answer = cpostgres_PQgetResult(handle) {
            // Freed here instead of by an object for each row.
            defer { cpostgres_PQclear(answer) }
            guard problem == nil else { continue }
            switch cpostgres_PQresultStatus(answer) {
            case CPOSTGRES_SINGLE_TUPLE.rawValue:
                count += 1
                do {
                    try body(AnswerRow(handle: answer, number: 0))
                } catch {
                    problem = error
                    // Or else all other rows would still arrive.
                    interrupt()
                }
            case CPOSTGRES_TUPLES_OK.rawValue: break
            default: problem = error(answer, sql)
            }
        }
        didRead(count)
        if let problem { throw problem }
    }

    /// Returns the first column of the first row, or nil if there is no row.
    package func integer(_ sql: String) throws -> Int64? { try integer(sql, ServerValues()) }

    /// Returns the first column of the first row, or nil if there is no row.
    func integer(_ sql: String, _ values: ServerValues) throws -> Int64? {
        let answer = try run(sql, values)
        return answer.rows > 0 ? answer.row(0).int64(0) : nil
    }

    /// Returns the first column of the first row as text; nil if there is no row.
    func text(_ sql: String) throws -> String? {
        let answer = try run(sql)
        return answer.rows > 0 ? answer.row(0).string(0) : nil
    }

    /// Returns the name under which a statement is prepared.
    func prepare(_ sql: String, _ types: [Oid]) throws -> String {
        if let name = prepared[sql] { return name }
        let name = "s\(prepared.count)"
        try check(cpostgres_PQprepare(handle, name, sql, Int32(types.count), types), sql)
        prepared[sql] = name
        return name
    }

    /// Runs `body` in a transaction, which is rolled back after an error.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // An error of the rollback would only hide the first one.
            if cpostgres_PQtransactionStatus(handle) != CPOSTGRES_TRANSACTION_IDLE.rawValue {
                try? execute("ROLLBACK")
            }
            throw error
        }
    }
}

extension ServerConnection {
    /// Has the server write its changed pages, if the user may ask for it: otherwise it does so during a phase.
    func writePages() { try? execute("CHECKPOINT") }
}

// MARK: Errors

extension ServerConnection {
    /// Returns an answer, or throws the error that it reports.
    @discardableResult
    func check(_ answer: OpaquePointer?, _ sql: String) throws -> ServerAnswer {
        guard let answer else { throw failure(sql) }
        let owned = ServerAnswer(answer)
        switch owned.status {
        case CPOSTGRES_COMMAND_OK.rawValue, CPOSTGRES_TUPLES_OK.rawValue, CPOSTGRES_COPY_IN.rawValue,
            CPOSTGRES_COPY_OUT.rawValue:
            return owned
        default: throw error(answer, sql)
        }
    }

    /// Returns the error that an answer reports.
    func error(_ answer: OpaquePointer, _ sql: String) -> DriverError {
        func field(_ field: cpostgres_error_field) -> String? {
            cpostgres_PQresultErrorField(answer, Int32(field.rawValue)).map { String(cString: $0) }
        }
        guard let state = field(CPOSTGRES_ERROR_STATE) else { return failure(sql) }
        let reason = [field(CPOSTGRES_ERROR_MESSAGE), field(CPOSTGRES_ERROR_DETAIL)].compactMap(\.self)
        return DriverError(
            DriverError.Code(sqlState: state),
            "PostgreSQL: \(Self.line(reason.joined(separator: ": "))) (SQLSTATE \(state))", sql: sql)
    }

    /// Returns the error of the connection itself.
    func failure(_ sql: String) -> DriverError {
        let isLost = cpostgres_PQstatus(handle) != CPOSTGRES_CONNECTION_OK.rawValue
        return DriverError(
            isLost ? .unreachable : .other(0),
            "PostgreSQL: \(Self.line(String(cString: cpostgres_PQerrorMessage(handle))))", sql: sql)
    }

    private static func line(_ message: String) -> String {
        StoreAddress.redacted(
            message.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
                .joined(separator: ": "))
    }
}

extension DriverError.Code {
    /// Converts the code of a server's error. A serialization failure or a deadlock is another writer's fault, too.
    init(sqlState: String) {
        switch sqlState {
        case "55P03", "40001", "40P01": self = .busy
        case "57014": self = .interrupted
        case "57P01", "57P02", "57P03": self = .unreachable
        default: self = .other(0)
        }
    }
}
