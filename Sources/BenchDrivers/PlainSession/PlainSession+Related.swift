import BenchHarness
import DriverSupport

/// Following relationships between several entities, as ``LoopTechnique`` follows those to owners: a statement of its
/// own reads the related records, and a dictionary finds them. Every technique does so.
extension PlainSession {
    func followRelated(_ work: FetchWork, _ follow: FollowSpec) throws -> any FetchedRecords {
        let table = file.table
        let loop = LoopTechnique<FieldRecord>(table: table)
        let records = try FieldRecord.readAll(from: loop.select(work, on: reading), of: table)
        if let toOne = table.entity.toOnes.firstIndex(where: { $0.relationship == follow.relationship }) {
            let place = table.entity.toOneAttributes.lowerBound + toOne
            let targets = RelatedTargets(table: table.targets[toOne], place: place)
            let found = try follow.prefetch ? targets.all(on: reading) : targets.each(of: records, on: reading)
            return RecordsWithTargets(records: records, place: targets.place, targets: found)
        }
        for other in table.otherTables {
            for (place, toOne) in other.entity.toOnes.enumerated()
            where toOne.entityName == table.entity.name && toOne.inverse == follow.relationship {
                let members = RelatedMembers(table: other, toOne: place)
                let groups =
                    try follow.prefetch
                    ? members.all(of: records, found: work, in: table, on: reading)
                    : members.each(of: records, on: reading)
                return OwnersWithRecords(owners: records, groups: groups)
            }
        }
        for link in table.allLinks {
            let isForward = link.source == table.entity.name && link.link.relationship == follow.relationship
            let isBack = link.link.entityName == table.entity.name && link.link.inverse == follow.relationship
            guard isForward || isBack else { continue }
            let name = isForward ? link.link.entityName : link.source
            guard let other = table.otherTables.first(where: { $0.entity.name == name }) else { continue }
            let pairs = LinkedMembers(table: other, link: link, isForward: isForward)
            let groups =
                try follow.prefetch
                ? pairs.all(of: records, found: work, in: table, on: reading) : pairs.each(of: records, on: reading)
            return OwnersWithRecords(owners: records, groups: groups)
        }
        throw DriverError(.invalidRequest, "\(table.entity.name) has no relationship \(follow.relationship)")
    }
}

/// The records that a relationship to one leads to.
private struct RelatedTargets {
    let table: RecordTable
    /// The position of the number of the related record.
    let place: Int

    /// Reads all of them.
    func all(on connection: PlainConnection) throws -> [Int64: FieldRecord] {
        let statement = try connection.prepare("SELECT \(table.selectList) FROM \(table.name)")
        let found = try FieldRecord.readAll(from: statement, of: table)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.key, $0) })
    }

    /// Reads those of some records, each at its first occurrence.
    func each(of records: [FieldRecord], on connection: PlainConnection) throws -> [Int64: FieldRecord] {
        let statement = try connection.kept("SELECT \(table.selectList) FROM \(table.name) WHERE Z_PK = ?")
        var found: [Int64: FieldRecord] = [:]
        for record in records {
            let key = record.key(at: place)
            if found[key] != nil { continue }
            try statement.bind(key, at: 1)
            if try statement.step() { found[key] = FieldRecord(row: statement, of: table) }
            statement.reset()
        }
        statement.didRead(found.count)
        return found
    }
}

/// The records that a relationship to many leads to.
private struct RelatedMembers {
    let table: RecordTable
    /// The place of the relationship that leads back.
    let toOne: Int

    private var selection: String { "SELECT \(table.selectList) FROM \(table.name)" }

    /// Reads those of all records that a fetch has found, at once.
    func all(
        of records: [FieldRecord], found work: FetchWork, in owners: RecordTable, on connection: PlainConnection
    ) throws -> [[FieldRecord]] {
        let found = try Filter(found: work, table: owners)
        let statement = try connection.prepare(
            "\(selection) WHERE \(table.toOneColumn(toOne)) IN (SELECT Z_PK FROM \(owners.name) WHERE \(found.sql))")
        try statement.bind(found.bindings)
        let place = table.entity.toOneAttributes.lowerBound + toOne
        let members = Dictionary(grouping: try FieldRecord.readAll(from: statement, of: table)) { $0.key(at: place) }
        return records.map { members[$0.key] ?? [] }
    }

    /// Reads those of one record after another.
    func each(of records: [FieldRecord], on connection: PlainConnection) throws -> [[FieldRecord]] {
        let statement = try connection.kept("\(selection) WHERE \(table.toOneColumn(toOne)) = ?")
        return try records.map { record in
            try statement.bind(record.key, at: 1)
            defer { statement.reset() }
            return try FieldRecord.readAll(from: statement, of: table)
        }
    }
}

/// The records that a many-to-many relationship leads to.
private struct LinkedMembers {
    let table: RecordTable
    let link: LinkTable
    /// Whether it leads from the entity that declares it.
    let isForward: Bool

    private var selection: String { "SELECT \(table.selectList) FROM \(table.name)" }
    private var ownColumn: String { isForward ? link.sourceColumn : link.targetColumn }
    private var memberColumn: String { isForward ? link.targetColumn : link.sourceColumn }

    /// Reads those of all records that a fetch has found, at once: first the pairs, then each member once.
    func all(
        of records: [FieldRecord], found work: FetchWork, in owners: RecordTable, on connection: PlainConnection
    ) throws -> [[FieldRecord]] {
        let found = try Filter(found: work, table: owners)
        let condition = "\(ownColumn) IN (SELECT Z_PK FROM \(owners.name) WHERE \(found.sql))"
        let pairs = try connection.prepare("SELECT \(ownColumn), \(memberColumn) FROM \(link.name) WHERE \(condition)")
        try pairs.bind(found.bindings)
        var keys: [Int64: [Int64]] = [:]
        while try pairs.step() { keys[pairs.int64(0), default: []].append(pairs.int64(1)) }
        pairs.didRead(keys.values.reduce(0) { $0 + $1.count })
        let statement = try connection.prepare(
            "\(selection) WHERE Z_PK IN (SELECT \(memberColumn) FROM \(link.name) WHERE \(condition))")
        try statement.bind(found.bindings)
        let members = try FieldRecord.readAll(from: statement, of: table)
        let byKey = Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0) })
        return records.map { (keys[$0.key] ?? []).compactMap { byKey[$0] } }
    }

    /// Reads those of one record after another.
    func each(of records: [FieldRecord], on connection: PlainConnection) throws -> [[FieldRecord]] {
        let statement = try connection.kept(
            "\(selection) WHERE Z_PK IN (SELECT \(memberColumn) FROM \(link.name) WHERE \(ownColumn) = ?)")
        return try records.map { record in
            try statement.bind(record.key, at: 1)
            defer { statement.reset() }
            return try FieldRecord.readAll(from: statement, of: table)
        }
    }
}

extension Filter {
    /// Compiles the condition of the records that a fetch finds.
    fileprivate init(found work: FetchWork, table: RecordTable) throws {
        try self.init(
            DeleteWork(mode: .batch, filter: work.filter, sort: work.sort, limit: work.limit), table: table)
    }
}

/// Records, each with the one that a relationship leads to.
private struct RecordsWithTargets: FetchedRecords {
    let records: [FieldRecord]
    /// The position of the number of the related record.
    let place: Int
    let targets: [Int64: FieldRecord]

    var count: Int { records.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for record in records[positions] {
            record.digest(into: &digester)
            targets[record.key(at: place)]?.digest(into: &digester)
            digester.endRecord()
        }
    }
}

extension FieldRecord {
    /// The key of the record that the value at a position names; 0 for null.
    fileprivate func key(at place: Int) -> Int64 {
        if case .int64(let key) = values[place] { key } else { 0 }
    }
}
