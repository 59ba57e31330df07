import BenchHarness
import DriverSupport
import Foundation

/// Reads the files of a store as the next process to open it would.
struct MemoryInspector: StoreInspector {
    private let files: MemoryFiles
    private let entities: RelatedEntities

    init(_ configuration: StoreConfiguration) {
        files = MemoryFiles(configuration.directory)
        entities = RelatedEntities(configuration)
    }

    var name: String { "reader of the saves in the files" }
    var countsVersions: Bool { true }

    private func read() throws -> MemoryContent {
        var content = try files.read()
        content.focus = entities.entity.name
        return content
    }

    func scan(into scan: inout StoreScan) throws { try read().scan(entities, into: &scan) }

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
    func scan(_ entities: RelatedEntities, into scan: inout StoreScan) throws {
        for record in records.values {
            record.digest(into: &scan.values)
            scan.endRecord(version: record.version)
        }
        for (place, owner) in owners.enumerated() {
            for value in owner { scan.values.add(value) }
            scan.values.add(Int64(place) + 1)
            scan.endOwner()
        }
        try RelationshipView(entities, in: self).scanOthers(into: &scan)
    }
}
