import BenchHarness

/// Reads the records of fetches that follow relationships, and what these lead to: a statement of its own reads the
/// related records, and a dictionary finds them.
///
/// A JOIN takes twice the time: it looks up a related record, and decodes its attributes, again for each record that
/// leads to it.
struct RelatedReader<Connection: SQLConnection> {
    let connection: Connection

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

    /// Returns the records that a fetch finds, in order.
    private func records<Record: SQLRecord>(of fetch: RelatedFetch) throws -> [Record] {
        try connection.records(fetch.source.selection(fetch.work), of: fetch.source)
    }

    /// Returns the query that selects the keys of these, in any order.
    private func keys(of fetch: RelatedFetch) throws -> SQLQuery {
        let source = fetch.source
        var parameters = SQLParameters(source.dialect)
        let condition = try source.condition(fetch.work, &parameters)
        return SQLQuery(
            sql: "SELECT \(source.key) FROM \(source.name) WHERE \(condition)", values: parameters.values)
    }

    // MARK: To one

    @_specialize(where Connection == PlainConnection, Record == OwnedItemRecord, Target == FieldRecord)
    @_specialize(where Connection == PlainConnection, Record == FieldRecord, Target == FieldRecord)
    private func read<Record: SQLRecord, Target: SQLRecord>(
        _ fetch: RelatedFetch, _ position: Int, _ target: RecordTable, _: Record.Type, _: Target.Type
    ) throws -> any FetchedRecords {
        let records: [Record] = try self.records(of: fetch)
        var targets: [Int64: Target] = [:]
        func add(_ row: Connection.Row) {
            let target = Target(row: row, of: target)
            targets[target.key] = target
        }
        if fetch.prefetches, fetch.findsAll {
            let all = "SELECT \(target.selectList) FROM \(target.name)"
            try connection.read(SQLQuery(sql: all), isKept: false, row: add)
        } else if fetch.prefetches {
            // Few records may be found, which lead to few of the table.
            let some = try connection.statement(target.selectionOfKeys)
            try connection.read(some, keys: distinctNumbers(in: records, position), row: add)
        } else {
            let sql = "SELECT \(target.selectList) FROM \(target.name) WHERE \(target.key) = $1"
            let one = try connection.statement(sql)
            try connection.readOne(one, for: distinctNumbers(in: records, position), row: add)
        }
        return RecordsWithTargets(records: records, position: position, targets: targets)
    }

    /// Returns the numbers of related records, each at its first occurrence.
    private func distinctNumbers<Record: SQLRecord>(in records: [Record], _ position: Int) -> [Int64] {
        var (seen, numbers) = (Set<Int64>(), [Int64]())
        for record in records {
            let number = record.number(at: position)
            if number == 0 || seen.contains(number) { continue }
            seen.insert(number)
            numbers.append(number)
        }
        return numbers
    }

    // MARK: To many

    @_specialize(where Connection == PlainConnection, Record == FieldRecord, Member == OwnedItemRecord)
    @_specialize(where Connection == PlainConnection, Record == FieldRecord, Member == FieldRecord)
    private func read<Record: SQLRecord, Member: SQLRecord>(
        _ fetch: RelatedFetch, _ members: MemberTable, _: Record.Type, _: Member.Type
    ) throws -> any FetchedRecords {
        let records: [Record] = try self.records(of: fetch)
        let keys = records.map(\.key)
        let groups: [[Member]] =
            switch (fetch.prefetches, members.position) {
            case (false, _): try readEach(members, of: keys)
            case (true, let position?): try readAll(members, at: position, of: keys, in: fetch)
            case (true, nil): try readPaired(members, of: keys, in: fetch)
            }
        return RecordsWithMembers(records: records, groups: groups, isOrdered: members.order != nil)
    }

    /// Reads the members of one record after another.
    private func readEach<Member: SQLRecord>(_ members: MemberTable, of keys: [Int64]) throws -> [[Member]] {
        let statement = try connection.statement(members.selectionOfOne)
        return try keys.map { key in
            var group: [Member] = []
            try connection.read(statement) {
                try $0.append(key)
            } row: {
                group.append(Member(row: $0, of: members.table))
            }
            return group
        }
    }

    /// Reads the members of all records at once, and groups them by the numbers of these.
    private func readAll<Member: SQLRecord>(
        _ members: MemberTable, at position: Int, of keys: [Int64], in fetch: RelatedFetch
    ) throws -> [[Member]] {
        // Where all records are found, no condition is needed to find all members.
        let restriction = try fetch.findsAll ? nil : self.keys(of: fetch)
        let condition = restriction.map { " WHERE \(members.own) IN (\($0.sql))" } ?? ""
        var places: [Int64: Int] = [:]
        for (place, key) in keys.enumerated() { places[key] = place }
        var groups = [[Member]](repeating: [], count: keys.count)
        let query = SQLQuery(
            sql: members.selection + condition + members.ordering, values: restriction?.values ?? [])
        try connection.read(query, isKept: false) { row in
            let member = Member(row: row, of: members.table)
            if let place = places[member.number(at: position)] { groups[place].append(member) }
        }
        return groups
    }

    /// Reads the pairs of all records, then each member once.
    private func readPaired<Member: SQLRecord>(
        _ members: MemberTable, of keys: [Int64], in fetch: RelatedFetch
    ) throws -> [[Member]] {
        let found = try self.keys(of: fetch)
        let condition = "\(members.own) IN (\(found.sql))"
        var lists: [Int64: [Int64]] = [:]
        let pairs = "SELECT \(members.own), \(members.key) FROM \(members.pairs) WHERE \(condition)"
        try connection.read(SQLQuery(sql: pairs + members.ordering, values: found.values), isKept: false) { row in
            lists[row.int64(0), default: []].append(row.int64(1))
        }
        let paired = "SELECT \(members.key) FROM \(members.pairs) WHERE \(condition)"
        let targets: [Member] = try connection.records(
            SQLQuery(
                sql: "\(members.selection) WHERE \(members.table.key) IN (\(paired))", values: found.values),
            of: members.table)
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
        guard let order else {
            return "\(selection) WHERE \(table.key) IN (SELECT \(key) FROM \(pairs) WHERE \(own) = $1)"
        }
        let places = "SELECT \(key) AS member, \(order) AS place FROM \(pairs) WHERE \(own) = $1"
        return "\(selection), (\(places)) AS places WHERE \(table.key) = member ORDER BY place"
    }
}
