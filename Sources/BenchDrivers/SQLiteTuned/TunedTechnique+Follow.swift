import BenchHarness

/// Following relationships from all records: those that many lead to are in an array by their keys, the many in pages
/// of columns. From some records, and through pairs or in an order, it does what the loop does.
extension TunedTechnique {
    func follow(_ fetch: RelatedFetch, on connection: PlainConnection) throws -> any FetchedRecords {
        guard fetch.findsAll else { return try RelatedReader(connection: connection).read(fetch) }
        switch fetch.lead {
        case .one(let position, let target):
            let rows = try TunedTechnique(table: fetch.source).fetch(fetch.work, on: connection, watch: nil)
            let keys = rows.integers(position)
            let targets = TunedTechnique<FieldRecord>(table: target)
            let found =
                try fetch.prefetches
                ? targets.readAll(on: connection) : targets.read(keys.distinct, on: connection)
            return RowsWithTargets(rows: rows, keys: keys, targets: found)
        case .many(let members) where members.isDirect && members.order == nil && fetch.work.sort.isEmpty:
            let records = try TunedTechnique<FieldRecord>(table: fetch.source).readAll(on: connection)
            return try fetch.prefetches
                ? groups(members, of: records, on: connection) : eachGroup(members, of: records, on: connection)
        case .many: return try RelatedReader(connection: connection).read(fetch)
        }
    }

    private func readAll(on connection: PlainConnection) throws -> [Record] {
        let sql = "SELECT \(table.selectList) FROM \(table.name) ORDER BY Z_PK"
        return try connection.records(SQLQuery(sql: sql), of: table)
    }

    /// Reads all members in one scan, then sorts them by the positions of the records with a counting sort.
    private func groups(
        _ members: MemberTable, of records: [FieldRecord], on connection: PlainConnection
    ) throws -> RecordsWithRows {
        let table = members.table
        let rows = try TunedTechnique(table: table).fetch(FetchWork(mode: .sync), on: connection, watch: nil)
        let places = KeyedPlaces(records)
        var ends = [Int](repeating: 0, count: records.count + 1)
        let position = table.columns.firstIndex(of: members.own) ?? 0
        let rowPlaces = rows.integers(position).map { key in
            let place = places[key]
            if let place { ends[place + 1] += 1 }
            return place
        }
        for place in records.indices { ends[place + 1] += ends[place] }
        var next = ends
        var sorted = [Int](repeating: 0, count: ends[records.count])
        for (row, place) in rowPlaces.enumerated() {
            guard let place else { continue }
            sorted[next[place]] = row
            next[place] += 1
        }
        return RecordsWithRows(records: records, rows: rows, members: sorted, ends: ends)
    }

    /// Reads the members of one record after another.
    private func eachGroup(
        _ members: MemberTable, of records: [FieldRecord], on connection: PlainConnection
    ) throws -> RecordsWithRows {
        let statement = try connection.kept(members.selectionOfOne)
        var rows = ColumnRows(types: members.table.entity.attributes.map(\.type))
        var ends = [0]
        for record in records {
            try statement.bind(record.key, at: 1)
            try statement.readAll { rows.append(row: $0) }
            statement.reset()
            ends.append(rows.count)
        }
        return RecordsWithRows(records: records, rows: rows, members: Array(0..<rows.count), ends: ends)
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

/// Rows, each with the record that it leads to.
private struct RowsWithTargets: FetchedRecords {
    private let rows: ColumnRows
    /// The keys of the targets, in the order of the rows.
    private let keys: [Int64]
    private let targets: [FieldRecord]
    private let places: KeyedPlaces

    init(rows: ColumnRows, keys: [Int64], targets: [FieldRecord]) {
        (self.rows, self.keys, self.targets) = (rows, keys, targets)
        places = KeyedPlaces(targets)
    }

    var count: Int { rows.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for position in positions {
            rows.digest(at: position, into: &digester)
            if let place = places[keys[position]] { targets[place].digest(into: &digester) }
            digester.endRecord()
        }
    }
}

/// Records, each with the rows that it leads to.
private struct RecordsWithRows: FetchedRecords {
    let records: [FieldRecord]
    let rows: ColumnRows
    /// The rows, grouped by record.
    let members: [Int]
    /// The end of each record's rows among the members; each group begins at the previous end.
    let ends: [Int]

    var count: Int { records.count }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        for position in positions {
            let record = records[position]
            digester.addOwner(record.key) {
                record.digest(into: &$0)
            } records: {
                for row in members[ends[position]..<ends[position + 1]] {
                    rows.digest(at: row, into: &$0)
                    $0.endRecord()
                }
            }
        }
    }
}
