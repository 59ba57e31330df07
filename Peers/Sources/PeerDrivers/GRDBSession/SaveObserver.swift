import DriverSupport
import GRDB

/// Collects the keys of the rows that each transaction touches, and hands them over once it is committed.
///
/// GRDB's other observers fetch anew what they observe whenever something in it changes: a `ValueObservation` of a
/// million records would fetch a million records after each save. A transaction observer is told of each row.
final class SaveObserver: TransactionObserver {
    private let table: String
    private let didSave: (SavedKeys) -> Void
    private var written: [Int64] = []
    private var deleted: [Int64] = []

    init(_ table: String, didSave: @escaping (SavedKeys) -> Void) {
        self.table = table
        self.didSave = didSave
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { eventKind.tableName == table }

    func databaseDidChange(with event: DatabaseEvent) {
        switch event.kind {
        case .insert, .update: written.append(event.rowID)
        case .delete: deleted.append(event.rowID)
        }
    }

    func databaseDidCommit(_ db: Database) {
        didSave(SavedKeys(written: [written], deleted: deleted))
        clear()
    }

    func databaseDidRollback(_ db: Database) { clear() }

    private func clear() { (written, deleted) = ([], []) }
}
