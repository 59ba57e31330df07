import BenchHarness
import DriverSupport

/// The tree with the records of an entity.
struct LMDBTable: Sendable {
    let entity: EntitySpec
    private let identity: RecordIdentity?
    private let records: RecordGenerator
    /// Whether its records lead to others.
    let hasRelationships: Bool

    init(_ records: RecordGenerator) {
        (entity, self.records) = (records.entity, records)
        hasRelationships = !entity.toOnes.isEmpty || entity.links != nil
        identity = try? RecordIdentity(of: entity)
    }

    /// The number that identifies the record with an ordinal, or the ordinal if the entity has none.
    func key(_ ordinal: Int) -> Int64 { identity?.key(of: ordinal) ?? Int64(ordinal) }

    func ordinal(_ record: PackedRecord) -> Int { identity?.ordinal(of: record.values) ?? Int(record.key) }

    /// The number by which other records lead to a record.
    func number(_ record: PackedRecord) -> Int64 { Int64(ordinal(record)) + 1 }

    func record(_ ordinal: Int) -> PackedRecord {
        PackedRecord(key: key(ordinal), values: entity.attributes.indices.map { records.value($0, ordinal) })
    }

    /// The numbers of the records that a many-to-many relationship leads to.
    func links(_ place: Int, _ ordinal: Int) -> [Int64] { records.links(place, ordinal) }
}
