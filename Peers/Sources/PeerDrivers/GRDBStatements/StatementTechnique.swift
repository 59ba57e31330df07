import BenchHarness
import DriverSupport
import GRDB

/// Statements written by hand, which GRDB prepares once for each connection and keeps.
///
/// Its loops are specialised for ``FastItemRecord`` by `@_specialize`: sessions are used as `any StoreSession`, behind
/// which the compiler does not specialise of its own accord, and an unspecialised loop would make a strawman of GRDB.
struct StatementTechnique<Record: StatementRecord>: GRDBTechnique {
    let table: RecordTable
    private let query: RecordQuery
    private let name: String
    private let columns: [String]

    init(_ table: RecordTable) {
        self.table = table
        query = RecordQuery(table: table)
        name = table.name.quotedDatabaseIdentifier
        columns = table.columns.map(\.quotedDatabaseIdentifier)
    }

    // MARK: Inserting and reading

    @_specialize(where Record == FastItemRecord)
    func insert(_ ordinals: Range<Int>, of records: RecordGenerator, in db: Database) throws {
        let statement = try db.cachedStatement(sql: table.insertion)
        for ordinal in ordinals {
            statement.setUncheckedArguments(Record.insertArguments(ordinal, of: records))
            try statement.execute()
        }
        for link in table.links { try insert(link, ordinals, of: records, in: db) }
    }

    private func insert(
        _ pairs: PairTable, _ ordinals: Range<Int>, of records: RecordGenerator, in db: Database
    ) throws {
        let statement = try db.cachedStatement(sql: pairs.insertion)
        for ordinal in ordinals {
            for number in records.links(pairs.link.place, ordinal) {
                statement.setUncheckedArguments([RecordTable.key(ordinal), number])
                try statement.execute()
            }
        }
    }

    func fetchAll(_ work: FetchWork, in db: Database) throws -> [Record] { try fetch(work, in: db) { _ in } }

    func fetch(_ work: FetchWork, in db: Database, found: (Int) throws -> Void) throws -> [Record] {
        try all(of: statement(work, in: db), found: found)
    }

    func fetchPage(_ work: FetchWork, offset: Int, in db: Database) throws -> [Record] {
        try all(of: statement(work, offset: offset, in: db))
    }

    /// The statement that finds the records of `work`, after the first `offset`.
    private func statement(_ work: FetchWork, offset: Int = 0, in db: Database) throws -> Statement {
        try db.cachedStatement(literal: "\(sql: selection)\(clauses(work, offset: offset))")
    }

    /// The keys of the records that `work` asks for, as a statement within others.
    func keys(_ work: FetchWork) throws -> SQL { try "SELECT Z_PK FROM \(sql: name)\(clauses(work))" }

    /// The condition, the order and the limit of a fetch. The first records without an order are those with the
    /// smallest keys.
    private func clauses(_ work: FetchWork, offset: Int = 0) throws -> SQL {
        var clauses: SQL = try " WHERE \(query.condition(work.filter))"
        var terms = try work.sort.map { try table.sortValue($0.key) + ($0.ascending ? "" : " DESC") }
        if terms.isEmpty, work.limit > 0 { terms = ["Z_PK"] }
        if !terms.isEmpty { clauses.append(sql: " ORDER BY " + terms.joined(separator: ", ")) }
        if work.limit > 0 { clauses.append(literal: " LIMIT \(work.limit) OFFSET \(offset)") }
        return clauses
    }

    func select(_ filter: FilterSpec?, from key: Int64, limit: Int, in db: Database) throws -> [Record] {
        let condition = try query.condition(filter)
        return try all(
            of: db.cachedStatement(
                literal: "\(sql: selection) WHERE Z_PK >= \(key) AND \(condition) ORDER BY Z_PK LIMIT \(limit)"))
    }

    @_specialize(where Record == FastItemRecord)
    func read(_ keys: [Int64], in db: Database) throws -> [Record] {
        let statement = try db.cachedStatement(sql: selection + " WHERE Z_PK = ?")
        return try keys.compactMap { key in
            statement.setUncheckedArguments([key])
            return try Record.fetchOne(statement)
        }
    }

    var selection: String {
        "SELECT " + (["Z_PK", "Z_OPT"] + columns).joined(separator: ", ") + " FROM " + name
    }

    @_specialize(where Record == FastItemRecord)
    func all(of statement: Statement, found: (Int) throws -> Void = { _ in }) throws -> [Record] {
        var records: [Record] = []
        let cursor = try Record.fetchCursor(statement)
        while let record = try cursor.next() {
            records.append(record)
            if records.count.isMultiple(of: progressInterval) { try found(records.count) }
        }
        return records
    }

    // MARK: Changing and deleting

    @_specialize(where Record == FastItemRecord)
    func update(_ records: inout [Record], _ changes: [RecordChange], in db: Database) throws {
        let assignments = changes.map { columns[$0.attribute] + " = ?, " }.joined()
        let statement = try db.cachedStatement(
            sql: "UPDATE \(name) SET \(assignments)Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?")
        for index in records.indices {
            let ordinal = RecordTable.ordinal(records[index].id)
            for change in changes { try records[index].apply(change.forRecord(ordinal)) }
            let (id, version) = (records[index].id, records[index].version)
            var arguments = changes.map { records[index].value($0.attribute) }
            arguments += [version + 1, id, version] as [Int64]
            statement.setUncheckedArguments(StatementArguments(arguments))
            try statement.execute()
            try RecordConflict.check(db.changesCount, table.name, id)
            records[index].version = version + 1
        }
    }

    func updateAll(_ changes: [RecordChange], where filter: FilterSpec?, in db: Database) throws {
        let assignments = changes.map(table.assignment) + [Column("Z_OPT") += 1]
        try Table(table.name).filter(query.condition(filter)).updateAll(db, assignments)
    }

    func delete(_ records: [Record], in db: Database) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM \(name) WHERE Z_PK = ? AND Z_OPT = ?")
        for record in records {
            statement.setUncheckedArguments([record.id, record.version])
            try statement.execute()
            try RecordConflict.check(db.changesCount, table.name, record.id)
        }
    }

    @_specialize(where Record == FastItemRecord)
    func digest(_ records: ArraySlice<Record>, of entity: EntitySpec, into digester: inout RecordDigester) {
        for record in records {
            record.digest(into: &digester, entity: entity)
            digester.endRecord()
        }
    }
}
