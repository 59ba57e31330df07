import CSQLite
import Foundation

/// Stops a transaction that writes, and fires triggers of the file, when it has cost more than any honest triggers.
///
/// Without triggers nothing is limited: what a statement costs is then our own affair.
final class TriggerLimit {
    /// How many steps of SQLite's virtual machine pass between two calls: a few hundredths of a second.
    private static let stepsPerCall: Int32 = 1_000_000
    /// What every transaction may cost, beside one call for each of its statements.
    private static let calls = 50
    /// A trigger may visit all of the file: it may cost one more call for so many bytes of it.
    private static let bytesPerCall = 10_000

    private let path: String
    private var callsMade = 0
    private var statements = 0
    private var isWriting = false
    /// Whether the statement run last was stopped.
    private(set) var wasReached = false

    /// Watches the connection, which must keep this for as long as it lives.
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

    /// A statement begins.
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

    /// With what is still in the log.
    private var fileSize: Int {
        ["", "-wal"].reduce(0) { sum, suffix in
            var status = stat()
            return stat(path + suffix, &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    var error: StoreError {
        StoreError(
            .storeFailure,
            "\(path): the triggers of the file did not come to an end within \(Self.calls) million steps; nothing was saved; "
                + "drop the trigger that takes so long")
    }
}
