import BenchHarness
import CLMDB
import DriverSupport

/// A cursor over the records of an entity in a transaction, in the order of their keys.
struct LMDBCursor {
    let cursor: OpaquePointer?
    let table: LMDBTable
    let transaction: LMDBTransaction
    var entity: EntitySpec { table.entity }

    /// Moves, and returns the record there; nil if there is none.
    func move(_ operation: MDB_cursor_op, to key: Int64 = 0) throws -> PackedRecord? {
        try LMDBKey.with(key) { name in
            var (name, value) = (name, MDB_val())
            let code = mdb_cursor_get(cursor, &name, &value, operation)
            if code == MDB_NOTFOUND { return nil }
            try check(code)
            let bytes = UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
            return try PackedRecord(key: LMDBKey.number(name), bytes: bytes)
        }
    }

    func put(_ record: PackedRecord, _ flags: Int32 = 0) throws {
        var bytes = record.bytes
        try LMDBKey.with(record.key) { name in
            try bytes.withUnsafeMutableBytes {
                var (name, value) = (name, MDB_val(mv_size: $0.count, mv_data: $0.baseAddress))
                try check(mdb_cursor_put(cursor, &name, &value, UInt32(flags)))
            }
        }
    }

    func record(_ key: Int64) throws -> PackedRecord {
        guard let record = try move(MDB_SET_KEY, to: key) else { throw LMDBMissing() }
        return record
    }

    /// Calls `body` with each record that matches, from a key on. It may store this record.
    func forEach(
        _ filter: FilterSpec? = nil, from key: Int64 = .min, limit: Int = .max, _ body: (PackedRecord) throws -> Void
    ) throws {
        let filter = try filter.flatMap { try transaction.related(entity).filter($0) }
        let looksThroughMany = !transaction.schema.others.isEmpty
        var (place, left) = (try move(MDB_SET_RANGE, to: key), limit)
        while let record = place, left > 0 {
            let ordinal = looksThroughMany ? table.ordinal(record) : -1
            if filter?.matches({ record.values[$0] }, ordinal: ordinal) ?? true {
                try body(record)
                left -= 1
            }
            place = try move(MDB_NEXT)
        }
    }

    /// Finds the records of a fetch, in order.
    func find(_ work: FetchWork) throws -> [PackedRecord] {
        var found: [PackedRecord] = []
        try forEach(work.filter, limit: work.sort.isEmpty && work.limit > 0 ? work.limit : .max) { found.append($0) }
        if work.sort.isEmpty { return found }
        let order = try transaction.related(entity).order(work.sort)
        found.sort { order.areInIncreasingOrder($0.values, $1.values) }
        return work.limit > 0 ? Array(found.prefix(work.limit)) : found
    }
}

/// Records and the trees of their relationships.
extension LMDBCursor {
    /// Inserts new records, with their pairs.
    func insert(_ ordinals: Range<Int>, _ flags: Int32 = MDB_NOOVERWRITE) throws {
        for ordinal in ordinals {
            try insert(table.record(ordinal), flags)
            if table.hasRelationships { try join(ordinal) }
        }
    }

    /// Inserts a new record, and its number under those of the records that it leads to.
    func insert(_ record: PackedRecord, _ flags: Int32 = MDB_NOOVERWRITE) throws {
        try put(record, flags)
        guard table.hasRelationships else { return }
        for place in entity.toOnes.indices {
            guard let target = record.values.number(entity, place) else { continue }
            try transaction.index(entity.treeName(of: place)).add(table.number(record), under: target)
        }
    }

    /// Inserts the pairs of a new record.
    func join(_ ordinal: Int) throws {
        let place = transaction.schema.place(of: entity.name)
        for link in transaction.schema.links where link.source == place {
            for target in table.links(link.place, ordinal) {
                try transaction.index(link.name).add(target, under: Int64(ordinal) + 1)
                try transaction.index(link.backTreeName).add(Int64(ordinal) + 1, under: target)
            }
        }
    }

    /// Makes changes in a record.
    func change(_ record: PackedRecord, by changes: [RecordChange]) throws {
        try replace(record, with: record.changed(by: changes, ordinal: table.ordinal(record)))
    }

    /// Stores a changed record.
    func replace(_ old: PackedRecord, with new: PackedRecord) throws {
        try put(new)
        guard table.hasRelationships else { return }
        for place in entity.toOnes.indices {
            let (before, after) = (old.values.number(entity, place), new.values.number(entity, place))
            guard before != after else { continue }
            let index = try transaction.index(entity.treeName(of: place))
            if let before { try index.remove(table.number(old), under: before) }
            if let after { try index.add(table.number(old), under: after) }
        }
    }

    /// Deletes a record, its pairs, and its number under those of the records that it leads to.
    func remove(_ record: PackedRecord) throws {
        let number = table.number(record)
        if try move(MDB_SET_KEY, to: record.key) != nil { try check(mdb_cursor_del(cursor, 0)) }
        for place in entity.toOnes.indices {
            guard let target = record.values.number(entity, place) else { continue }
            try transaction.index(entity.treeName(of: place)).remove(number, under: target)
        }
        let place = transaction.schema.place(of: entity.name)
        for link in transaction.schema.links {
            if link.source == place { try part(number, link.name, link.backTreeName) }
            if link.destination == place { try part(number, link.backTreeName, link.name) }
        }
    }

    /// Ends the pairs of a record.
    private func part(_ number: Int64, _ own: String, _ opposite: String) throws {
        let (own, opposite) = (try transaction.index(own), try transaction.index(opposite))
        for other in try own.numbers(of: number) {
            try own.remove(other, under: number)
            try opposite.remove(number, under: other)
        }
    }

    /// Deletes records, and those that belong to them; what else leads to any of them leads nowhere.
    func remove(_ records: [PackedRecord]) throws {
        if transaction.schema.others.isEmpty { return try records.forEach(remove) }
        let view = try transaction.related(entity)
        let deleted = try view.deleted(with: records.map(table.number))
        for (place, losers) in try view.losers(by: deleted) {
            let others = try transaction.records(of: transaction.schema.entities[place].record)
            for (number, positions) in losers {
                let old = try others.record(others.table.key(Int(number) - 1))
                var record = old
                for position in positions { record.values[position] = .null }
                record.version += 1
                try others.replace(old, with: record)
            }
        }
        for (place, numbers) in deleted {
            let others = try transaction.records(of: transaction.schema.entities[place].record)
            for number in numbers { try others.remove(others.record(others.table.key(Int(number) - 1))) }
        }
    }
}

/// Ends a transaction because a record that an operation names does not exist.
struct LMDBMissing: Error {}
