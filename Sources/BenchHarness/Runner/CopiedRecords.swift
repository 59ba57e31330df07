import Foundation

/// What a copy of a file holds before any phase: the records in the order in which they were read, which are their
/// ordinals from then on.
struct CopiedRecords: Sendable {
    let records: [StoredRecord]
    /// The digest of the records of other entities, which no phase changes.
    let others: RecordDigest
    /// What is wrong with the file, or other than in a store that the driver made: no phase is to blame for it.
    let problems: Set<String>
}

extension CopiedRecords {
    /// Reads a store that no session has opened yet.
    init(by inspector: any StoreInspector) throws {
        var records: [StoredRecord] = []
        try inspector.forEachRecord { records.append($0) }
        self.records = records
        var digester = RecordDigester()
        for record in records { digester.addRecord(record.values) }
        let inspection = try StoreInspection(by: inspector)
        others = inspection.content.without(digester.digest)
        problems = Set(inspection.problems)
    }
}
