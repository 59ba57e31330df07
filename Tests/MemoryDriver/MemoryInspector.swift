import BenchHarness
import DriverSupport
import Foundation

/// Reads the files of a store as the next process to open it would.
struct MemoryInspector: StoreInspector {
    private let files: MemoryFiles
    private let schema: Schema

    init(_ configuration: StoreConfiguration) {
        files = MemoryFiles(configuration.directory)
        schema = configuration.schema
    }

    var name: String { "reader of the saves in the files" }
    var countsVersions: Bool { true }

    private func read() throws -> MemoryContent {
        var content = try files.read()
        content.focus = schema.entity.name
        return content
    }

    func scan(into scan: inout StoreScan) throws { try read().scan(schema, into: &scan) }

    func forEachRecord(_ body: (StoredRecord) -> Void) throws {
        for record in try read().records.values {
            body(StoredRecord(values: record.values, version: record.version))
        }
    }

    /// Reading the files finds every error that they can have.
    func checkIntegrity() -> [String] { [] }
}

extension MemoryContent {
    /// Feeds everything, as an inspector must.
    func scan(_ schema: Schema, into scan: inout StoreScan) throws {
        for record in records.values {
            record.digest(into: &scan.values)
            scan.endRecord(version: record.version)
        }
        try RelationshipView(schema, in: self).scanOthers(into: &scan)
    }
}
