import BenchHarness
import DriverSupport

/// A record, told from all others by its ordinal.
struct MemoryRecord: Sendable, Equatable, Codable {
    let ordinal: Int
    /// 1 when it was inserted, and one more with each save that changed it.
    var version = 1
    var values: [FieldValue]

    /// The record after changes, in its next version.
    func changed(by changes: [RecordChange]) -> MemoryRecord {
        var changed = self
        for change in changes {
            changed.values[change.attribute] = values[change.attribute].after(change.operation, ordinal: ordinal)
        }
        changed.version += 1
        return changed
    }

    func digest(into digester: inout RecordDigester) {
        for value in values { digester.add(value) }
    }
}

/// What one save writes.
struct MemorySave: Sendable, Codable {
    var written: [MemoryRecord] = []
    var deleted: [Int] = []
    /// The attributes of the owners, the one numbered 1 first, in the save that creates them.
    var owners: [[FieldValue]] = []

    /// What those who are told of the save are told.
    var keys: SavedKeys {
        SavedKeys(written: [written.map { Int64($0.ordinal) }], deleted: deleted.map { Int64($0) })
    }
}

/// Everything that a store holds.
struct MemoryContent: Sendable, Equatable, Codable {
    /// The records by their ordinals. A dictionary has no order, so a fetch that is not sorted has none either.
    private(set) var records: [Int: MemoryRecord] = [:]
    private(set) var owners: [[FieldValue]] = []

    mutating func apply(_ save: MemorySave) {
        for record in save.written { records[record.ordinal] = record }
        for ordinal in save.deleted { records[ordinal] = nil }
        if !save.owners.isEmpty { owners = save.owners }
    }

    /// The record with an ordinal.
    ///
    /// - Throws: `MissingRecord` when there is none.
    func record(_ ordinal: Int) throws(MissingRecord) -> MemoryRecord {
        guard let record = records[ordinal] else { throw MissingRecord(ordinal: ordinal) }
        return record
    }

    /// The records that a filter lets through, in no order.
    func records(matching filter: RecordFilter?) -> [MemoryRecord] {
        guard let filter else { return Array(records.values) }
        return records.values.filter { record in filter.matches { record.values[$0] } }
    }
}

/// A record that is not there.
struct MissingRecord: Error {
    let ordinal: Int
}
