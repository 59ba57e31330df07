import CPostgres
import Dispatch
import Foundation

/// What the statements of a transaction see of others.
enum IsolationLevel: String {
    /// Each statement sees what was committed before it, so that checks see what the locks waited for.
    case readCommitted = "READ COMMITTED"
    /// All statements see the same moment.
    case repeatableRead = "REPEATABLE READ"
}

/// A transaction of which the client does not know whether it was committed.
struct DoubtfulTransaction {
    let token: CommitToken
    /// How the connection was lost.
    let reason: String
}

extension PostgreSQLConnection {
    /// Whether a transaction is open, or begins with the next statement.
    var isInTransaction: Bool {
        pendingTransaction != nil || cpostgres_PQtransactionStatus(handle) != CPOSTGRES_TRANSACTION_IDLE.rawValue
    }

    /// Calls `body` in a transaction that writes; rolls back if it throws.
    ///
    /// - Returns: What `body` returns, and the transaction if it is not known whether it was committed: the connection
    ///   was lost before the server answered.
    func transaction<Result>(
        _ level: IsolationLevel, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> (result: Result, doubtful: DoubtfulTransaction?) {
        (hasSentCommit, pendingTransaction, token) = (false, level, nil)
        let counted = counts.rows
        do throws(StoreError) {
            let result = try rollingBack(body)
            return (result, try commit())
        } catch {
            // What was rolled back was not written.
            counts.rows = counted
            throw error
        }
    }

    /// Commits the transaction, if one has begun. Returns it if it is not known whether it was committed.
    private func commit() throws(StoreError) -> DoubtfulTransaction? {
        guard pendingTransaction == nil else {
            pendingTransaction = nil
            return nil
        }
        hasSentCommit = true
        do throws(StoreError) {
            try execute("COMMIT")
            return nil
        } catch {
            // Some engines say themselves that they do not know (40003).
            guard isLost || error.sqlState == "40003", let token else { throw error }
            return DoubtfulTransaction(token: token, reason: lastMessage)
        }
    }

    /// Calls `body` in a transaction that can be done twice without harm. A server that only reads takes it too, if
    /// `body` only reads.
    func repeatableTransaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try execute(Self.begin(.readCommitted))
        let result = try rollingBack(body)
        try execute("COMMIT")
        return result
    }

    /// Begins the pending transaction, if there is one, for a statement that cannot be sent together with that.
    func beginPendingTransaction() throws(StoreError) {
        guard let level = pendingTransaction else { return }
        pendingTransaction = nil
        try execute(Self.begin(level))
        let token = nextToken()
        _ = try query(CommitToken.statement, token.parameters)
        self.token = token
    }

    /// Begins a transaction and executes its first statement; the answers are awaited together.
    func query(
        _ sql: String, _ parameters: QueryParameters, beginning level: IsolationLevel
    ) throws(StoreError) -> QueryResult {
        try makeRoom(for: 3)
        let name = try prepare(sql, parameters.types)
        let begin = try prepare(Self.begin(level))
        let token = nextToken()
        let write = try prepare(CommitToken.statement, token.parameters.types)
        pendingTransaction = nil
        counts.statements? += 3
        let answers = try pipeline([(begin, QueryParameters()), (write, token.parameters), (name, parameters)], sql)
        self.token = token
        return answers[2]
    }

    private static func begin(_ level: IsolationLevel) -> String { "BEGIN ISOLATION LEVEL \(level.rawValue)" }

    private func rollingBack<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            if pendingTransaction != nil {
                pendingTransaction = nil
            } else if !isLost {
                try? execute("ROLLBACK")
            }
            throw error
        }
    }

    /// Has all later queries see the database at one moment, until ``endSnapshot()``.
    func beginSnapshot() throws(StoreError) {
        if !isInTransaction { try execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") }
    }

    /// Calls `body`, and ends the snapshot that it may have begun.
    func endingSnapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        let result = try rollingBack(body)
        if isInTransaction { try execute("COMMIT") }
        return result
    }
}

extension PostgreSQLConnectionPool {
    /// Calls `body` in a transaction that writes; rolls back if it throws.
    ///
    /// A transaction that the server ends because of others is tried again, as often as the options say. One whose
    /// connection was lost before it was to be committed is done once more. If the connection was lost afterwards, the
    /// server is asked what became of it.
    ///
    /// - Throws: `StoreError` with `storeFailure` and the code 08007 if the server does not know, or cannot be asked.
    func transaction<Result>(
        _ level: IsolationLevel = .readCommitted,
        _ body: (PostgreSQLConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try retrying { () throws(StoreError) in try attempt(level, body) }
    }

    /// Calls `body` with a connection, and again, as often as the options say, if the server ended its transaction
    /// because of others.
    func useRetrying<Result>(
        _ body: (PostgreSQLConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try retrying { () throws(StoreError) in try use(body) }
    }

    /// Calls `body` again, as often as the options say, after an error that may not return.
    func retrying<Result>(
        after isWorthIt: (StoreError) -> Bool = \.isWorthRetrying, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        var retries = 0
        while true {
            do throws(StoreError) {
                return try body()
            } catch {
                // Nothing was written, and the same may be written once more.
                guard isWorthIt(error), retries < options.commitRetries else { throw error }
                retries += 1
                // Those who collided do not all come back at once.
                usleep(UInt32.random(in: 0...(1_000 << UInt32(min(retries, 5)))))
            }
        }
    }

    private func attempt<Result>(
        _ level: IsolationLevel, _ body: (PostgreSQLConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let (result, doubtful) = try use { connection throws(StoreError) in
            try connection.transaction(level) { () throws(StoreError) in try body(connection) }
        }
        guard let doubtful else { return result }
        switch isCommitted(doubtful.token) {
        case true?: return result
        case false?:
            throw StoreError(
                .storeFailure,
                "the connection to \(address.name) was lost: \(doubtful.reason); nothing was saved; try again",
                storeCode: .postgreSQL("08006"))
        case nil:
            throw StoreError(
                .storeFailure,
                "the connection to \(address.name) was lost during a commit: \(doubtful.reason); the server does not "
                    + "say whether the commit came about; fetch the objects again to see",
                storeCode: .postgreSQL("08007"))
        }
    }

    /// Whether a transaction was committed; nil if the server does not say. Waits for a while if the transaction is in
    /// progress, if the server restarts, or if it says nothing, which another connection may be spared.
    private func isCommitted(_ token: CommitToken) -> Bool? {
        let deadline = DispatchTime.now() + .seconds(Self.patience)
        repeat {
            do throws(StoreError) {
                return try ResponseTimeout.with(milliseconds: Self.patience * 1_000 / 3) { () throws(StoreError) in
                    try use { connection throws(StoreError) in try token.isCommitted(connection) }
                }
            } catch {
                if error.code == .noStore { return nil }
            }
            usleep(10_000)
        } while DispatchTime.now() < deadline
        return nil
    }

    /// In seconds.
    private static let patience = 10
}
