import BenchHarness
import Foundation

/// Reads the files of a store as the next process to open it would.
struct MemoryInspector: StoreInspector {
    let directory: URL

    var name: String { "reader of the saves in the files" }
    var countsVersions: Bool { true }

    func scan(into scan: inout StoreScan) throws {
        let content = try MemoryFiles(directory).read()
        for record in content.records.values {
            record.digest(into: &scan.values)
            scan.endRecord(version: record.version)
        }
        for (place, owner) in content.owners.enumerated() {
            for value in owner { scan.values.add(value) }
            scan.values.add(Int64(place) + 1)
            scan.endOwner()
        }
    }

    func forEachRecord(_ body: (StoredRecord) -> Void) throws {
        for record in try MemoryFiles(directory).read().records.values {
            body(StoredRecord(values: record.values, version: record.version))
        }
    }

    /// Reading the files finds every error that they can have.
    func checkIntegrity() -> [String] { [] }
}
