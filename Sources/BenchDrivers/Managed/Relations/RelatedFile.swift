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
        var problems: [String] = []
        let check = try connection.prepare("PRAGMA integrity_check")
        while try check.step() { if check.string(0) != "ok" { problems.append(check.string(0)) } }
        return try problems + RelatedChecks.problems { try connection.integer($0) ?? 0 }
    }
}
