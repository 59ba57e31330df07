import BenchHarness

/// Reads records of several entities, for fetches that follow relationships between them: a statement of its own reads
/// the related records, and a dictionary finds them, as where records have owners. Every technique does so.
protocol RelatedReader {
    /// The values of a statement's parameters.
    associatedtype Values

    /// The table of the records that a fetch finds.
    var table: RecordTable { get }

    /// Returns the records that a fetch finds, in order.
    func records(_ work: FetchWork) throws -> [FieldRecord]
    /// Returns the statement that selects the keys of these, in any order.
    func keys(_ work: FetchWork) throws -> (sql: String, values: Values)
    /// Reads every row of a statement that selects the columns of a table.
    func read(_ sql: String, _ values: Values?, of table: RecordTable) throws -> [FieldRecord]
    /// Reads every row of a statement, which is kept and whose only parameter is a key.
    func read(_ sql: String, key: Int64, of table: RecordTable) throws -> [FieldRecord]
    /// Calls `body` with the keys in each row of a statement that selects two.
    func readPairs(_ sql: String, _ values: Values, _ body: (Int64, Int64) -> Void) throws
}

extension RelatedReader {
    /// Fetches the records of `work`, and follows a relationship.
    func fetch(_ work: FetchWork, following follow: FollowSpec) throws -> any FetchedRecords {
        let records = try self.records(work)
        if let toOne = table.entity.toOnes.firstIndex(where: { $0.relationship == follow.relationship }) {
            let (target, place) = (table.targets[toOne], table.entity.toOneAttributes.lowerBound + toOne)
            let found = try follow.prefetch ? all(target) : each(of: records, target, at: place)
            return RecordsWithTargets(records: records, place: place, targets: found)
        }
        if let members = table.members(by: follow.relationship) {
            let groups = try follow.prefetch ? all(members, of: records, found: work) : each(members, of: records)
            return OwnersWithRecords(owners: records, groups: groups, isOrdered: members.order != nil)
        }
        throw DriverError(.invalidRequest, "\(table.entity.name) has no relationship \(follow.relationship)")
    }

    // MARK: To one

    /// Reads all records that a relationship may lead to.
    private func all(_ target: RecordTable) throws -> [Int64: FieldRecord] {
        let found = try read("SELECT \(target.selectList) FROM \(target.name)", nil, of: target)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.key, $0) })
    }

    /// Reads those of some records, each at its first occurrence.
    private func each(
        of records: [FieldRecord], _ target: RecordTable, at place: Int
    ) throws -> [Int64: FieldRecord] {
        let sql = "SELECT \(target.selectList) FROM \(target.name) WHERE \(target.key) = $1"
        var found: [Int64: FieldRecord] = [:]
        for record in records {
            let key = record.key(at: place)
            if found[key] == nil { found[key] = try read(sql, key: key, of: target).first }
        }
        return found
    }

    // MARK: To many

    /// Reads those of all records that a fetch has found, at once.
    private func all(
        _ members: MemberTable, of records: [FieldRecord], found work: FetchWork
    ) throws -> [[FieldRecord]] {
        let keys = try keys(work)
        let condition = "\(members.own) IN (\(keys.sql))"
        if let place = members.table.columns.firstIndex(of: members.own), members.isDirect {
            let found = try read(
                "\(members.selection) WHERE \(condition)\(members.ordering)", keys.values, of: members.table)
            let groups = Dictionary(grouping: found) { $0.key(at: place) }
            return records.map { groups[$0.key] ?? [] }
        }
        // First the pairs, then each member once.
        var lists: [Int64: [Int64]] = [:]
        try readPairs(
            "SELECT \(members.own), \(members.key) FROM \(members.pairs) WHERE \(condition)", keys.values
        ) { lists[$0, default: []].append($1) }
        let paired = "SELECT \(members.key) FROM \(members.pairs) WHERE \(condition)"
        let found = try read(
            "\(members.selection) WHERE \(members.table.key) IN (\(paired))", keys.values, of: members.table)
        let byKey = Dictionary(uniqueKeysWithValues: found.map { ($0.key, $0) })
        return records.map { (lists[$0.key] ?? []).compactMap { byKey[$0] } }
    }

    /// Reads those of one record after another.
    private func each(_ members: MemberTable, of records: [FieldRecord]) throws -> [[FieldRecord]] {
        let paired = "SELECT \(members.key) FROM \(members.pairs) WHERE \(members.own) = $1"
        let condition = members.isDirect ? "\(members.own) = $1" : "\(members.table.key) IN (\(paired))"
        let sql = "\(members.selection) WHERE \(condition)\(members.ordering)"
        return try records.map { try read(sql, key: $0.key, of: members.table) }
    }
}

extension MemberTable {
    fileprivate var selection: String { "SELECT \(table.selectList) FROM \(table.name)" }
    fileprivate var ordering: String { order.map { " ORDER BY \($0)" } ?? "" }
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
