import BenchHarness

/// Following relationships.
///
/// A separate statement reads the prefetched owners, and a dictionary finds them. A JOIN takes twice the time: it looks
/// up an owner, and decodes its attributes, again for each of its records.
extension LoopTechnique {
    @_specialize(where Record == OwnedItemRecord)
    func follow(_ work: FetchWork, _ follow: FollowSpec, on connection: PlainConnection) throws -> any FetchedRecords {
        let owners = LoopTechnique<FieldRecord>(table: try table.requireOwners())
        if follow.leadsToRecords(of: table.entity) {
            let found = try owners.fetch(FetchWork(mode: .sync), on: connection, watch: nil).records
            let groups =
                follow.prefetch ? try groups(of: found, on: connection) : try eachGroup(of: found, on: connection)
            return OwnersWithRecords(owners: found, groups: groups)
        }
        let records = try fetch(work, on: connection, watch: nil).records
        let found = try follow.prefetch ? owners.byKey(on: connection) : owners.byKey(ofEach: records, on: connection)
        return RecordsWithOwners(records: records, owners: found)
    }

    /// Reads all records at once and groups them by owner.
    @_specialize(where Record == OwnedItemRecord)
    private func groups(of owners: [FieldRecord], on connection: PlainConnection) throws -> [[Record]] {
        var places: [Int64: Int] = [:]
        for (place, owner) in owners.enumerated() { places[owner.key] = place }
        var groups = [[Record]](repeating: [], count: owners.count)
        for record in try fetch(FetchWork(mode: .sync), on: connection, watch: nil).records {
            guard let place = places[record.owner] else { throw table.missingOwner(record.owner) }
            groups[place].append(record)
        }
        return groups
    }

    /// Reads the records of one owner after another.
    @_specialize(where Record == OwnedItemRecord)
    private func eachGroup(of owners: [FieldRecord], on connection: PlainConnection) throws -> [[Record]] {
        let statement = try connection.kept(table.selectionByOwner)
        var groups: [[Record]] = []
        for owner in owners {
            try statement.bind(owner.key, at: 1)
            groups.append(try Record.readAll(from: statement, of: table))
            statement.reset()
        }
        return groups
    }
}

extension LoopTechnique<FieldRecord> {
    /// Returns every owner, by its key.
    fileprivate func byKey(on connection: PlainConnection) throws -> [Int64: FieldRecord] {
        var owners: [Int64: FieldRecord] = [:]
        for owner in try fetch(FetchWork(mode: .sync), on: connection, watch: nil).records { owners[owner.key] = owner }
        return owners
    }

    /// Reads the owners of records, each at its first occurrence.
    @_specialize(where Owned == OwnedItemRecord)
    fileprivate func byKey<Owned: PlainRecord>(
        ofEach records: [Owned], on connection: PlainConnection
    ) throws -> [Int64: FieldRecord] {
        let statement = try connection.kept("SELECT \(table.selectList) FROM \(table.name) WHERE Z_PK = ?")
        var owners: [Int64: FieldRecord] = [:]
        for record in records where owners[record.owner] == nil {
            try statement.bind(record.owner, at: 1)
            if try statement.step() { owners[record.owner] = FieldRecord(row: statement, of: table) }
            statement.reset()
        }
        statement.didRead(owners.count)
        return owners
    }
}

/// Records with their owners.
struct RecordsWithOwners<Record: PlainRecord>: FetchedRecords {
    let records: [Record]
    let owners: [Int64: FieldRecord]

    var count: Int { records.count }

    @_specialize(where Record == OwnedItemRecord)
    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for record in records[positions] {
            record.digest(into: &digester)
            owners[record.owner]?.digest(into: &digester)
            digester.endRecord()
        }
    }
}

/// Owners, each with its records.
struct OwnersWithRecords<Record: PlainRecord>: FetchedRecords {
    let owners: [FieldRecord]
    let groups: [[Record]]
    /// Whether the records of each owner are in order.
    var isOrdered = false

    var count: Int { owners.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for position in positions {
            let owner = owners[position]
            digester.addOwner(owner.key, isOrdered: isOrdered) {
                owner.digest(into: &$0)
            } records: {
                RecordArray(groups[position]).digest(groups[position].indices, into: &$0)
            }
        }
    }
}
