import BenchHarness
import DriverSupport

/// A record, told from all others by its ordinal.
struct MemoryRecord: Sendable, Equatable, Codable {
    let ordinal: Int
    /// 1 when it was inserted, and one more with each save that changed it.
    var version = 1
    var values: [FieldValue]

    /// Its ordinal plus 1, by which others lead to it.
    var number: Int64 { Int64(ordinal) + 1 }

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

/// The numbers of two records that a many-to-many relationship joins.
struct MemoryPair: Sendable, Hashable, Codable {
    let source: Int64
    let target: Int64
}

/// The pairs of a relationship, of which new ones come last.
struct MemoryPairs: Sendable, Equatable, Codable {
    private var places: [MemoryPair: Int] = [:]
    private var next = 0

    var all: [MemoryPair] { Array(places.keys) }

    mutating func add(_ pairs: [MemoryPair]) {
        for pair in pairs where places[pair] == nil {
            places[pair] = next
            next += 1
        }
    }

    mutating func remove(_ pairs: [MemoryPair]) {
        for pair in pairs { places[pair] = nil }
    }

    /// The numbers of those that a record leads to, in order.
    func targets(of source: Int64) -> [Int64] {
        places.filter { $0.key.source == source }.sorted { $0.value < $1.value }.map(\.key.target)
    }
}

/// What one save writes.
struct MemorySave: Sendable, Codable {
    /// The entity of the records that are written.
    var entity = ""
    var written: [MemoryRecord] = []
    var deleted: [Int] = []
    /// The records of other entities that are deleted with these.
    var deletedOthers: [String: [Int]] = [:]
    /// The records, of any entity, that lead to none of these any more.
    var losers: [String: [MemoryRecord]] = [:]
    /// The pairs of many-to-many relationships that begin and end, by the names of relationships.
    var joined: [String: [MemoryPair]] = [:]
    var parted: [String: [MemoryPair]] = [:]

    /// What those who are told of the save are told.
    var keys: SavedKeys {
        SavedKeys(written: [written.map { Int64($0.ordinal) }], deleted: deleted.map { Int64($0) })
    }
}

/// Everything that a store holds.
struct MemoryContent: Sendable, Equatable, Codable {
    /// The records of all entities by their ordinals. A dictionary has no order, so a fetch that is not sorted has none
    /// either.
    private var tables: [String: [Int: MemoryRecord]] = [:]
    /// The pairs of many-to-many relationships, by the names of these.
    private var pairs: [String: MemoryPairs] = [:]
    /// The entity that the session which looks is about.
    var focus = ""

    private enum CodingKeys: CodingKey { case tables, pairs }

    /// The records of the session's entity.
    var records: [Int: MemoryRecord] { tables[focus] ?? [:] }

    mutating func apply(_ save: MemorySave) {
        for record in save.written { tables[save.entity, default: [:]][record.ordinal] = record }
        for (entity, ordinals) in save.deletedOthers.merging([save.entity: save.deleted], uniquingKeysWith: +) {
            for ordinal in ordinals { tables[entity]?[ordinal] = nil }
        }
        for (entity, records) in save.losers {
            for record in records { tables[entity, default: [:]][record.ordinal] = record }
        }
        for (name, joined) in save.joined { pairs[name, default: MemoryPairs()].add(joined) }
        for (name, parted) in save.parted { pairs[name]?.remove(parted) }
    }

    /// The record with an ordinal.
    ///
    /// - Throws: `MissingRecord` when there is none.
    func record(_ ordinal: Int) throws(MissingRecord) -> MemoryRecord {
        guard let record = records[ordinal] else { throw MissingRecord(ordinal: ordinal) }
        return record
    }

    /// The next versions of records that lose values, given the positions of these by the numbers of the records.
    func records(of entity: String, losing positions: [Int64: Set<Int>]) -> [MemoryRecord] {
        positions.compactMap { number, positions in
            guard var record = tables[entity]?[Int(number) - 1] else { return nil }
            for position in positions { record.values[position] = .null }
            record.version += 1
            return record
        }
    }

    /// The records that a filter lets through, in no order.
    func records(matching filter: RecordFilter?) -> [MemoryRecord] {
        guard let filter else { return Array(records.values) }
        return records.values.filter { record in filter.matches({ record.values[$0] }, ordinal: record.ordinal) }
    }

    /// The pairs of a relationship with any of some records, by the places of their entities.
    func pairs(of link: Schema.Link, with numbers: [Int: Set<Int64>]) -> [MemoryPair] {
        let (sources, targets) = (numbers[link.source] ?? [], numbers[link.destination] ?? [])
        return (pairs[link.name]?.all ?? []).filter { sources.contains($0.source) || targets.contains($0.target) }
    }
}

extension MemoryContent: NumberedRecords {
    func forEachRecord(of entity: EntitySpec, _ body: (Int64, [FieldValue]) throws -> Void) rethrows {
        for record in (tables[entity.name] ?? [:]).values { try body(record.number, record.values) }
    }

    func record(_ number: Int64, of entity: EntitySpec) -> [FieldValue]? {
        tables[entity.name]?[Int(number) - 1]?.values
    }

    func members(of number: Int64, by relationship: Schema.Relationship, to entity: EntitySpec) -> [Int64] {
        switch relationship.place {
        case .number: return []
        case .inverse(let place):
            return (tables[entity.name] ?? [:]).values.filter { $0.values.number(entity, place) == number }
                .map(\.number).sorted()
        case .pairs(let link, isForward: true):
            let members = pairs[link.name]?.targets(of: number) ?? []
            return relationship.isOrdered ? members : members.sorted()
        case .pairs(let link, isForward: false):
            return (pairs[link.name]?.all ?? []).filter { $0.target == number }.map(\.source).sorted()
        }
    }
}

/// A record that is not there.
struct MissingRecord: Error {
    let ordinal: Int
}
