import Synchronization

/// The error of a change to a row that another writer has changed since it was read.
struct RecordConflict: Error, CustomStringConvertible {
    let table: String
    let key: Int64

    var description: String { "the row of \(table) with key \(key) was changed by another writer since it was read" }

    /// Throws unless the latest statement changed one row: it names the version that was read.
    static func check(_ changed: Int, _ table: String, _ key: Int64) throws(RecordConflict) {
        if changed != 1 { throw RecordConflict(table: table, key: key) }
    }
}

/// The number of saves that were refused.
final class ConflictCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
    func reset() { count.store(0, ordering: .relaxed) }
}
