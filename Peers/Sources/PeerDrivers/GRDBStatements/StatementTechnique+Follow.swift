import BenchHarness
import DriverSupport
import GRDB

/// Following relationships: a statement of its own reads the related records, and a dictionary finds them.
extension StatementTechnique {
    func follow(_ work: FetchWork, _ follow: FollowSpec, in db: Database) throws -> any FetchedRecords {
        let records = try fetchAll(work, in: db)
        if let toOne = table.entity.toOnes.firstIndex(where: { $0.relationship == follow.relationship }) {
            let keys = records.map { $0.key(at: table.entity.toOneAttributes.lowerBound + toOne) }
            let targets = StatementTechnique<FieldsRecord>(table.target(toOne).alone)
            let found =
                try follow.prefetch
                ? targets.fetchAll(FetchWork(mode: .sync), in: db) : targets.read(Array(Set(keys)), in: db)
            let byKey = Dictionary(found.map { ($0.id, $0) }) { $1 }
            return followed(zip(records, keys).map { ($0, [byKey[$1]].compactMap(\.self)) }, .one, targets.table)
        }
        let members = try table.members(by: follow.relationship)
        let related = StatementTechnique<FieldsRecord>(members.table)
        let groups =
            try follow.prefetch
            ? related.all(members, of: records.map(\.id), found: keys(work), in: db)
            : related.each(members, of: records.map(\.id), in: db)
        return followed(
            Array(zip(records, groups)).map { ($0, $1) }, .many(isOrdered: members.order != nil), members.table)
    }

    private func followed(
        _ records: [(Record, [FieldsRecord])], _ kind: FollowedRecords<Record, FieldsRecord>.Kind,
        _ related: RecordTable
    ) -> any FetchedRecords {
        let (entity, relatedEntity) = (table.entity, related.entity)
        return FollowedRecords(
            records.map { (record: $0, related: $1) }, kind: kind, number: \.id,
            digest: { $0.digest(into: &$1, entity: entity) },
            digestRelated: { $0.digest(into: &$1, entity: relatedEntity) })
    }
}

extension StatementTechnique<FieldsRecord> {
    /// Reads the members of all records with some keys, which a statement finds, at once.
    fileprivate func all(
        _ members: MemberTable, of keys: [Int64], found: SQL, in db: Database
    ) throws -> [[FieldsRecord]] {
        let (own, order) = (members.own.quotedDatabaseIdentifier, ordering(members))
        guard let pairs = members.pairs else {
            let place = table.columns.firstIndex(of: members.own) ?? 0
            let rows = try all(
                of: db.cachedStatement(literal: "\(sql: selection) WHERE \(sql: own) IN (\(found))\(sql: order)"))
            let groups = Dictionary(grouping: rows) { $0.key(at: place) }
            return keys.map { groups[$0] ?? [] }
        }
        // First the pairs, then each member once.
        let (name, key) = (pairs.name.quotedDatabaseIdentifier, pairs.key.quotedDatabaseIdentifier)
        var memberKeys: [Int64: [Int64]] = [:]
        let cursor = try Row.fetchCursor(
            db.cachedStatement(
                literal: "SELECT \(sql: own), \(sql: key) FROM \(sql: name) WHERE \(sql: own) IN (\(found))"))
        while let row = try cursor.next() { memberKeys[row[0], default: []].append(row[1]) }
        let rows = try all(
            of: db.cachedStatement(
                literal: """
                    \(sql: selection) WHERE Z_PK IN (SELECT \(sql: key) FROM \(sql: name) WHERE \(sql: own) IN (\(found)))
                    """))
        let byKey = Dictionary(rows.map { ($0.id, $0) }) { $1 }
        return keys.map { (memberKeys[$0] ?? []).compactMap { byKey[$0] } }
    }

    /// Reads the members of one record after another.
    fileprivate func each(_ members: MemberTable, of keys: [Int64], in db: Database) throws -> [[FieldsRecord]] {
        let own = members.own.quotedDatabaseIdentifier
        let condition =
            members.pairs.map {
                "Z_PK IN (SELECT \($0.key.quotedDatabaseIdentifier) FROM \($0.name.quotedDatabaseIdentifier) WHERE \(own) = ?)"
            } ?? "\(own) = ?"
        let statement = try db.cachedStatement(sql: "\(selection) WHERE \(condition)\(ordering(members))")
        return try keys.map { key in
            statement.setUncheckedArguments([key])
            return try FieldsRecord.fetchAll(statement)
        }
    }

    private func ordering(_ members: MemberTable) -> String {
        members.order.map { " ORDER BY " + $0.quotedDatabaseIdentifier } ?? ""
    }
}

extension StatementRecord {
    /// The key of the record that the value at a position names; 0 for null.
    fileprivate func key(at place: Int) -> Int64 {
        value(place).flatMap { Int64.fromDatabaseValue($0.databaseValue) } ?? 0
    }
}
