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
        if let members = table.members(by: follow.relationship) {
            let groups =
                try follow.prefetch
                ? members.all(of: records, found: work, in: table, on: reading) : members.each(of: records, on: reading)
            return OwnersWithRecords(owners: records, groups: groups, isOrdered: members.order != nil)
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
extension MemberTable {
    private var selection: String { "SELECT \(table.selectList) FROM \(table.name)" }
    private var ordering: String { order.map { " ORDER BY \($0)" } ?? "" }

    /// Reads those of all records that a fetch has found, at once.
    fileprivate func all(
        of records: [FieldRecord], found work: FetchWork, in owners: RecordTable, on connection: PlainConnection
    ) throws -> [[FieldRecord]] {
        let found = try Filter(found: work, table: owners)
        let condition = "\(own) IN (SELECT Z_PK FROM \(owners.name) WHERE \(found.sql))"
        if let place = table.columns.firstIndex(of: own), isDirect {
            let statement = try connection.prepare("\(selection) WHERE \(condition)\(ordering)")
            try statement.bind(found.bindings)
            let members = try FieldRecord.readAll(from: statement, of: table)
            let groups = Dictionary(grouping: members) { $0.key(at: place) }
            return records.map { groups[$0.key] ?? [] }
        }
        // First the pairs, then each member once.
        let statement = try connection.prepare("SELECT \(own), \(key) FROM \(pairs) WHERE \(condition)")
        try statement.bind(found.bindings)
        var keys: [Int64: [Int64]] = [:]
        while try statement.step() { keys[statement.int64(0), default: []].append(statement.int64(1)) }
        statement.didRead(keys.values.reduce(0) { $0 + $1.count })
        let members = try connection.prepare(
            "\(selection) WHERE Z_PK IN (SELECT \(key) FROM \(pairs) WHERE \(condition))")
        try members.bind(found.bindings)
        let byKey = Dictionary(
            uniqueKeysWithValues: try FieldRecord.readAll(from: members, of: table).map { ($0.key, $0) })
        return records.map { (keys[$0.key] ?? []).compactMap { byKey[$0] } }
    }

    /// Reads those of one record after another.
    fileprivate func each(of records: [FieldRecord], on connection: PlainConnection) throws -> [[FieldRecord]] {
        let condition = isDirect ? "\(own) = ?" : "Z_PK IN (SELECT \(key) FROM \(pairs) WHERE \(own) = ?)"
        let statement = try connection.kept("\(selection) WHERE \(condition)\(ordering)")
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
