import BenchHarness

/// Reads the records of fetches that follow relationships, and what these lead to: a statement of its own reads the
/// related records, and a dictionary finds them.
///
/// A JOIN takes twice the time: it looks up a related record, and decodes its attributes, again for each record that
/// leads to it.
protocol RelatedReader {
    /// The values of a statement's parameters.
    associatedtype Values

    /// Returns the records that a fetch finds, in order.
    func records<Record: ServerRecord>(_ work: FetchWork, of table: RecordTable) throws -> [Record]
    /// Returns the statement that selects the keys of these, in any order.
    func keys(_ work: FetchWork, of table: RecordTable) throws -> (sql: String, values: Values)
    /// Reads every row of a statement that selects the columns of a table.
    func read<Record: ServerRecord>(_ sql: String, _ values: Values?, of table: RecordTable) throws -> [Record]
    /// Reads the row that a statement, whose only parameter is a key, finds for each of some keys, if there is one.
    func readOne<Record: ServerRecord>(_ sql: String, for keys: [Int64], of table: RecordTable) throws -> [Record]
    /// Reads the rows that a statement, whose only parameter is a key, finds for each of some keys.
    func readGroups<Record: ServerRecord>(
        _ sql: String, for keys: [Int64], of table: RecordTable
    ) throws -> [[Record]]
    /// Calls `body` with the keys in each row of a statement that selects two.
    func readPairs(_ sql: String, _ values: Values, _ body: (Int64, Int64) -> Void) throws
}

extension RelatedReader {
    /// Fetches records and follows a relationship from them.
    func read(_ fetch: RelatedFetch) throws -> any FetchedRecords {
        let type = RecordTypes.type(for: fetch.source.entity)
        switch fetch.lead {
        case .one(let position, let target):
            return try read(fetch, position, target, type, RecordTypes.type(for: target.entity))
        case .many(let members):
            return try read(fetch, members, type, RecordTypes.type(for: members.table.entity))
        }
    }

    // MARK: To one

    @_specialize(where Self == FileRelatedReader, Record == OwnedItemRecord, Target == FieldRecord)
    private func read<Record: ServerRecord, Target: ServerRecord>(
        _ fetch: RelatedFetch, _ position: Int, _ target: RecordTable, _: Record.Type, _: Target.Type
    ) throws -> any FetchedRecords {
        let records: [Record] = try self.records(fetch.work, of: fetch.source)
        let all = "SELECT \(target.selectList) FROM \(target.name)"
        let found: [Target] =
            try fetch.prefetches
            ? read(all, nil, of: target)
            : readOne("\(all) WHERE \(target.key) = $1", for: distinctNumbers(in: records, position), of: target)
        var targets: [Int64: Target] = [:]
        for record in found { targets[record.key] = record }
        return RecordsWithTargets(records: records, position: position, targets: targets)
    }

    /// Returns the numbers of related records, each at its first occurrence.
    @_specialize(where Self == FileRelatedReader, Record == OwnedItemRecord)
    private func distinctNumbers<Record: PlainRecord>(in records: [Record], _ position: Int) -> [Int64] {
        var (seen, numbers) = (Set<Int64>(), [Int64]())
        for record in records {
            let number = record.number(at: position)
            if number != 0, seen.insert(number).inserted { numbers.append(number) }
        }
        return numbers
    }

    // MARK: To many

    @_specialize(where Self == FileRelatedReader, Record == FieldRecord, Member == OwnedItemRecord)
    private func read<Record: ServerRecord, Member: ServerRecord>(
        _ fetch: RelatedFetch, _ members: MemberTable, _: Record.Type, _: Member.Type
    ) throws -> any FetchedRecords {
        let records: [Record] = try self.records(fetch.work, of: fetch.source)
        let keys = records.map(\.key)
        let groups: [[Member]] =
            switch (fetch.prefetches, members.position) {
            case (false, _): try readGroups(members.selectionOfOne, for: keys, of: members.table)
            case (true, let position?): try readAll(members, at: position, of: keys, in: fetch)
            case (true, nil): try readPaired(members, of: keys, in: fetch)
            }
        return RecordsWithMembers(records: records, groups: groups, isOrdered: members.order != nil)
    }

    /// Reads the members of all records at once, and groups them by the numbers of these.
    @_specialize(where Self == FileRelatedReader, Member == OwnedItemRecord)
    private func readAll<Member: ServerRecord>(
        _ members: MemberTable, at position: Int, of keys: [Int64], in fetch: RelatedFetch
    ) throws -> [[Member]] {
        // Where all records are found, no condition is needed to find all members.
        let restriction = try fetch.findsAll ? nil : self.keys(fetch.work, of: fetch.source)
        let condition = restriction.map { " WHERE \(members.own) IN (\($0.sql))" } ?? ""
        var places: [Int64: Int] = [:]
        for (place, key) in keys.enumerated() { places[key] = place }
        var groups = [[Member]](repeating: [], count: keys.count)
        let found: [Member] = try read(
            members.selection + condition + members.ordering, restriction?.values, of: members.table)
        for member in found {
            if let place = places[member.number(at: position)] { groups[place].append(member) }
        }
        return groups
    }

    /// Reads the pairs of all records, then each member once.
    private func readPaired<Member: ServerRecord>(
        _ members: MemberTable, of keys: [Int64], in fetch: RelatedFetch
    ) throws -> [[Member]] {
        let found = try self.keys(fetch.work, of: fetch.source)
        let condition = "\(members.own) IN (\(found.sql))"
        var lists: [Int64: [Int64]] = [:]
        try readPairs(
            "SELECT \(members.own), \(members.key) FROM \(members.pairs) WHERE \(condition)", found.values
        ) { lists[$0, default: []].append($1) }
        let paired = "SELECT \(members.key) FROM \(members.pairs) WHERE \(condition)"
        let targets: [Member] = try read(
            "\(members.selection) WHERE \(members.table.key) IN (\(paired))", found.values, of: members.table)
        let byKey = Dictionary(uniqueKeysWithValues: targets.map { ($0.key, $0) })
        return keys.map { (lists[$0] ?? []).compactMap { byKey[$0] } }
    }
}

extension MemberTable {
    /// The position of the number of the owning record among the values of a member; nil if pairs keep it.
    fileprivate var position: Int? { isDirect ? table.columns.firstIndex(of: own) : nil }
    fileprivate var selection: String { "SELECT \(table.selectList) FROM \(table.name)" }
    fileprivate var ordering: String { order.map { " ORDER BY \($0)" } ?? "" }

    /// The statement that selects the members of one record, whose key is its parameter.
    var selectionOfOne: String {
        if isDirect { return "\(selection) WHERE \(own) = $1 ORDER BY \(order ?? table.key)" }
        return "\(selection) WHERE \(table.key) IN (SELECT \(key) FROM \(pairs) WHERE \(own) = $1)"
    }
}
