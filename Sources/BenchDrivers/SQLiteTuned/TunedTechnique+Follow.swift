import BenchHarness

/// Following relationships: owners in an array by their keys, records in pages of columns.
extension TunedTechnique {
    func follow(_ work: FetchWork, _ follow: FollowSpec, on connection: PlainConnection) throws -> any FetchedRecords {
        let owners = TunedTechnique<FieldRecord>(table: try table.requireOwners())
        if follow.leadsToRecords(of: table.entity) {
            let found = try owners.readAll(on: connection)
            return follow.prefetch ? try groups(of: found, on: connection) : try eachGroup(of: found, on: connection)
        }
        let rows = try fetch(work, on: connection, watch: nil)
        let keys = rows.integers(table.entity.attributes.count - 1)
        let found = try follow.prefetch ? owners.readAll(on: connection) : owners.read(keys.distinct, on: connection)
        return RowsWithOwners(rows: rows, keys: keys, owners: found)
    }

    private func readAll(on connection: PlainConnection) throws -> [Record] {
        let statement = try connection.prepare("SELECT \(table.selectList) FROM \(table.name) ORDER BY Z_PK")
        return try Record.readAll(from: statement, of: table)
    }

    /// Reads all rows in one scan, then sorts them by their owners' positions with a counting sort.
    private func groups(of owners: [FieldRecord], on connection: PlainConnection) throws -> OwnersWithRows {
        let rows = try fetch(FetchWork(mode: .sync), on: connection, watch: nil)
        let places = KeyedPlaces(owners)
        var ends = [Int](repeating: 0, count: owners.count + 1)
        let rowPlaces = try rows.integers(table.entity.attributes.count - 1).map { key in
            guard let place = places[key] else { throw table.missingOwner(key) }
            ends[place + 1] += 1
            return place
        }
        for place in owners.indices { ends[place + 1] += ends[place] }
        var next = ends
        var members = [Int](repeating: 0, count: rows.count)
        for (row, place) in rowPlaces.enumerated() {
            members[next[place]] = row
            next[place] += 1
        }
        return OwnersWithRows(owners: owners, rows: rows, members: members, ends: ends)
    }

    /// Reads the rows of one owner after another.
    private func eachGroup(of owners: [FieldRecord], on connection: PlainConnection) throws -> OwnersWithRows {
        let statement = try connection.kept(table.selectionByOwner)
        var rows = ColumnRows(types: table.entity.attributes.map(\.type))
        var ends = [0]
        for owner in owners {
            try statement.bind(owner.key, at: 1)
            while try statement.step() { rows.append(row: statement) }
            statement.reset()
            ends.append(rows.count)
        }
        statement.didRead(rows.count)
        return OwnersWithRows(owners: owners, rows: rows, members: Array(0..<rows.count), ends: ends)
    }
}

/// The position in an array of the record with a key. Keys are dense, so this is an array too.
private struct KeyedPlaces {
    private var places: [Int32]

    init(_ records: [FieldRecord]) {
        places = Array(repeating: -1, count: Int(max(records.map(\.key).max() ?? 0, 0)) + 1)
        for (place, record) in records.enumerated() where record.key > 0 { places[Int(record.key)] = Int32(place) }
    }

    @inline(__always)
    subscript(key: Int64) -> Int? {
        guard key > 0, key < places.count, places[Int(key)] >= 0 else { return nil }
        return Int(places[Int(key)])
    }
}

extension [Int64] {
    /// The distinct elements, in ascending order.
    fileprivate var distinct: [Int64] {
        var seen = [Bool](repeating: false, count: Int(Swift.max(self.max() ?? 0, 0)) + 1)
        for key in self where key > 0 { seen[Int(key)] = true }
        return seen.indices.filter { seen[$0] }.map(Int64.init)
    }
}

/// Rows with their owners.
private struct RowsWithOwners: FetchedRecords {
    private let rows: ColumnRows
    /// The keys of the owners, in the order of the rows.
    private let keys: [Int64]
    private let owners: [FieldRecord]
    private let places: KeyedPlaces

    init(rows: ColumnRows, keys: [Int64], owners: [FieldRecord]) {
        (self.rows, self.keys, self.owners) = (rows, keys, owners)
        places = KeyedPlaces(owners)
    }

    var count: Int { rows.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for position in positions {
            rows.digest(at: position, into: &digester)
            if let place = places[keys[position]] { owners[place].digest(into: &digester) }
            digester.endRecord()
        }
    }
}

/// Owners, each with its rows.
private struct OwnersWithRows: FetchedRecords {
    let owners: [FieldRecord]
    let rows: ColumnRows
    /// The rows, grouped by owner.
    let members: [Int]
    /// The end of each owner's rows among the members; each group begins at the previous end.
    let ends: [Int]

    var count: Int { owners.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for position in positions {
            let owner = owners[position]
            digester.addOwner(owner.key) {
                owner.digest(into: &$0)
            } records: {
                for row in members[ends[position]..<ends[position + 1]] {
                    rows.digest(at: row, into: &$0)
                    $0.endRecord()
                }
            }
        }
    }
}
