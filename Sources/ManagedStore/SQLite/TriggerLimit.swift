import CSQLite
import Foundation

/// Stops a transaction that writes, and fires triggers of the file, when it exceeds the cost of any reasonable
/// triggers.
///
/// Without triggers there is no limit, since the cost of a statement then depends only on this package.
final class TriggerLimit {
    /// The number of steps of SQLite's virtual machine between two calls: a few hundredths of a second.
    private static let stepsPerCall: Int32 = 1_000_000
    /// The calls that every transaction may take, besides one for each of its statements.
    private static let calls = 50
    /// A trigger may visit the whole file, so each multiple of this number of bytes allows one more call.
    private static let bytesPerCall = 10_000

    private let path: String
    private var callsMade = 0
    private var statements = 0
    private var isWriting = false
    /// Whether the statement executed last was stopped.
    private(set) var wasReached = false

    /// Observes the connection, which must keep this object for its whole life.
    init(_ handle: OpaquePointer, path: String) {
        self.path = path
        let limit = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            handle, Self.stepsPerCall,
            { limit in
                limit.map { Unmanaged<TriggerLimit>.fromOpaque($0).takeUnretainedValue().isReached() } == true ? 1 : 0
            }, limit)
    }

    func beginTransaction() {
        (callsMade, statements) = (0, 0)
    }

    /// Notes the start of a statement.
    func begin(isWriting: Bool) {
        (self.isWriting, wasReached) = (isWriting, false)
        if isWriting { statements += 1 }
    }

    private func isReached() -> Bool {
        guard isWriting else { return false }
        callsMade += 1
        let allowed = Self.calls + statements
        wasReached = callsMade > allowed && callsMade > allowed + fileSize / Self.bytesPerCall
        return wasReached
    }

    /// The size of the file, including the log's content.
    private var fileSize: Int {
        ["", "-wal"].reduce(0) { sum, suffix in
            var status = stat()
            return stat(path + suffix, &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    var error: StoreError {
        StoreError(
            .storeFailure,
            "\(path): the triggers of the file did not finish within \(Self.calls) million steps; nothing was saved; "
                + "drop the trigger that takes so long")
    }
}
