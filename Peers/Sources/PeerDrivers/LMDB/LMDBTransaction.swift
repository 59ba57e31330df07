import BenchHarness
import CLMDB
import DriverSupport

/// A transaction, with a cursor for each tree that it has used.
final class LMDBTransaction {
    private let store: LMDBStore
    private let handle: OpaquePointer?
    /// The one of the session's entity, which each transaction uses.
    private var own: OpaquePointer?
    private var others: [String: OpaquePointer] = [:]

    init(_ store: LMDBStore, _ handle: OpaquePointer?) throws {
        (self.store, self.handle) = (store, handle)
        own = try open(store.ownTree)
    }

    var schema: Schema { store.schema }

    /// The records of the session's entity.
    var records: LMDBCursor { LMDBCursor(cursor: own, table: store.table, transaction: self) }

    /// The records of an entity.
    func records(of entity: EntitySpec) throws -> LMDBCursor {
        LMDBCursor(cursor: try cursor(entity.name), table: try store.table(of: entity), transaction: self)
    }

    /// The numbers of the records that a relationship leads to.
    func index(_ name: String) throws -> LMDBIndex { LMDBIndex(cursor: try cursor(name)) }

    /// What relationships of an entity lead to.
    func related(_ entity: EntitySpec) -> RelationshipView<LMDBTransaction> {
        RelationshipView(schema.focused(on: schema.place(of: entity.name) ?? schema.focus), in: self)
    }

    /// The number of entries of a tree.
    func count(_ name: String) throws -> Int {
        var statistics = MDB_stat()
        try check(mdb_stat(handle, store.tree(name), &statistics))
        return Int(statistics.ms_entries)
    }

    /// Closes the cursors, which a transaction that reads does not do by itself.
    func close() {
        for cursor in others.values { mdb_cursor_close(cursor) }
        mdb_cursor_close(own)
        (own, others) = (nil, [:])
    }

    private func cursor(_ name: String) throws -> OpaquePointer? {
        if name == store.entity.name { return own }
        if let cursor = others[name] { return cursor }
        let cursor = try open(store.tree(name))
        others[name] = cursor
        return cursor
    }

    private func open(_ tree: MDB_dbi) throws -> OpaquePointer? {
        var cursor: OpaquePointer?
        try check(mdb_cursor_open(handle, tree, &cursor))
        return cursor
    }
}

extension LMDBTransaction: NumberedRecords {
    /// Walks with a cursor of its own, since `body` may move the others.
    func forEachRecord(of entity: EntitySpec, _ body: (Int64, [FieldValue]) throws -> Void) throws {
        let cursor = try open(store.tree(entity.name))
        defer { mdb_cursor_close(cursor) }
        let table = try store.table(of: entity)
        try LMDBCursor(cursor: cursor, table: table, transaction: self).forEach {
            try body(table.number($0), $0.values)
        }
    }

    func record(_ number: Int64, of entity: EntitySpec) throws -> [FieldValue]? {
        let records = try records(of: entity)
        return try records.move(MDB_SET_KEY, to: records.table.key(Int(number) - 1))?.values
    }

    func members(of number: Int64, by relationship: Schema.Relationship, to entity: EntitySpec) throws -> [Int64] {
        switch relationship.place {
        case .number: []
        case .inverse(let place): try index(entity.treeName(of: place)).numbers(of: number)
        case .pairs(let link, let isForward): try index(isForward ? link.name : link.backTreeName).numbers(of: number)
        }
    }
}

extension EntitySpec {
    /// The tree of the inverse of a relationship to one, with the numbers of the records that have it: `Line.order`.
    func treeName(of toOne: Int) -> String { "\(name).\(toOnes[toOne].relationship)" }
}

extension Schema.Link {
    /// The tree of the relationship that leads back.
    var backTreeName: String { "\(spec.entityName).\(spec.inverse)" }
}

/// Numbers of records under the number of one that leads to them, ascending: a tree whose keys have many values.
struct LMDBIndex {
    let cursor: OpaquePointer?

    func add(_ number: Int64, under key: Int64) throws {
        try withPair(key, number) { key, value in
            try check(mdb_cursor_put(cursor, &key, &value, UInt32(MDB_NODUPDATA)))
        }
    }

    func remove(_ number: Int64, under key: Int64) throws {
        if try contains(number, under: key) { try check(mdb_cursor_del(cursor, 0)) }
    }

    /// Moves to a number, and returns whether it is there.
    func contains(_ number: Int64, under key: Int64) throws -> Bool {
        try withPair(key, number) { key, value in try found(mdb_cursor_get(cursor, &key, &value, MDB_GET_BOTH)) }
    }

    func numbers(of key: Int64) throws -> [Int64] {
        try withPair(key, 0) { key, value in
            var numbers: [Int64] = []
            var code = mdb_cursor_get(cursor, &key, &value, MDB_SET_KEY)
            while try found(code) {
                numbers.append(LMDBKey.number(value))
                code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT_DUP)
            }
            return numbers
        }
    }

    private func found(_ code: Int32) throws -> Bool {
        if code == MDB_NOTFOUND { return false }
        try check(code)
        return true
    }

    private func withPair<Result>(
        _ key: Int64, _ number: Int64, _ body: (inout MDB_val, inout MDB_val) throws -> Result
    ) rethrows -> Result {
        try LMDBKey.with(key) { key in
            try LMDBKey.with(number) { value in
                var (key, value) = (key, value)
                return try body(&key, &value)
            }
        }
    }
}

/// Numbers as bytes that sort as the numbers do.
enum LMDBKey {
    static func with<Result>(_ number: Int64, _ body: (MDB_val) throws -> Result) rethrows -> Result {
        var bits = (UInt64(bitPattern: number) ^ 1 << 63).bigEndian
        return try withUnsafeMutableBytes(of: &bits) { try body(MDB_val(mv_size: 8, mv_data: $0.baseAddress)) }
    }

    static func number(_ value: MDB_val) -> Int64 {
        let bits = UInt64(bigEndian: UnsafeRawPointer(value.mv_data).loadUnaligned(as: UInt64.self))
        return Int64(bitPattern: bits ^ 1 << 63)
    }
}
