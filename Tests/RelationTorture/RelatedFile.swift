import BenchDrivers
import BenchHarness
import CSQLite
import Foundation
import ManagedStore

/// The file of a store of related records.
struct RelatedFile: RelatedPlace {
    private let url: URL
    private let options: SQLiteStoreOptions

    init(in directory: URL, _ options: StoreOptions) {
        (url, self.options) = (RecordFile.url(in: directory), SQLiteStoreOptions(options))
    }

    func addStore(to coordinator: PersistentStoreCoordinator) throws {
        try coordinator.addPersistentStore(.sqlite, at: url, options: options)
    }

    func problems() throws -> [String] {
        let connection = try PlainConnection(file: url, flags: SQLITE_OPEN_READONLY)
        return try RelatedChecks.problems(Self.integrity) { try connection.integer($0) ?? 0 }
    }

    private static let integrity = [
        ("errors found by PRAGMA integrity_check", "pragma_integrity_check WHERE integrity_check <> 'ok'")
    ]
}
