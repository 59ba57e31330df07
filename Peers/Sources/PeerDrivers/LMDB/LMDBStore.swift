import BenchHarness
import CLMDB
import DriverSupport
import Foundation

/// An open environment, with a record under each key. Unchecked because LMDB lets any thread use an environment.
final class LMDBStore: @unchecked Sendable {
    private static let shared = SharedStores<LMDBStore>()
    let configuration: StoreConfiguration
    let identity: RecordIdentity?
    private(set) var environment: OpaquePointer?
    private var table: MDB_dbi = 0
    var entity: EntitySpec { configuration.entity }

    init(_ configuration: StoreConfiguration, flags: Int32) throws {
        (self.configuration, identity) = (configuration, try? RecordIdentity(of: configuration.entity))
        try check(mdb_env_create(&environment))
        // 64 GiB of the address space: memory and disk hold only what the file needs.
        try check(mdb_env_set_mapsize(environment, 1 << 36))
        try check(mdb_env_open(environment, configuration.directory.path, UInt32(flags | MDB_NOTLS), 0o644))
        try transaction(MDB_RDONLY) { _ in }
    }

    deinit { mdb_env_close(environment) }

    /// Opens the store for a session. LMDB's locks allow a process only one environment, which sessions share.
    static func share(_ configuration: StoreConfiguration) throws -> LMDBStore {
        try shared.open(configuration.directory) {
            try LMDBStore(configuration, flags: configuration.options.synchronous.flags)
        }
    }

    func release() { Self.shared.close(configuration.directory) { mdb_env_close($0.environment.take()) } }

    /// Runs `body` in a transaction, and commits unless it throws. Without `MDB_RDONLY`, it waits for other writers.
    func transaction<Result>(_ flags: Int32 = 0, _ body: (LMDBCursor) throws -> Result) throws -> Result {
        var (transaction, cursor): (OpaquePointer?, OpaquePointer?)
        try check(mdb_txn_begin(environment, nil, UInt32(flags), &transaction))
        defer { mdb_txn_abort(transaction) }
        if table == 0 { try check(mdb_dbi_open(transaction, nil, 0, &table)) }
        try check(mdb_cursor_open(transaction, table, &cursor))
        let result = Swift.Result { try body(LMDBCursor(cursor: cursor, entity: entity)) }
        mdb_cursor_close(cursor)
        let value = try result.get()
        try check(mdb_txn_commit(transaction.take()))
        return value
    }

    /// The number that identifies the record with an ordinal, or the ordinal if the entity has none.
    func key(_ ordinal: Int) -> Int64 { identity?.key(of: ordinal) ?? Int64(ordinal) }

    func ordinal(_ record: PackedRecord) -> Int { identity?.ordinal(of: record.values) ?? Int(record.key) }

    func record(_ ordinal: Int) -> PackedRecord {
        let values = entity.attributes.indices.map { configuration.records.value($0, ordinal) }
        return PackedRecord(key: key(ordinal), values: values)
    }

    /// Reads the records that match, from a key on.
    func read(
        _ filter: FilterSpec?, from key: Int64 = .min, limit: Int = .max, progress: (Int) throws -> Void = { _ in }
    ) throws -> [PackedRecord] {
        var found: [PackedRecord] = []
        try transaction(MDB_RDONLY) { cursor in
            try cursor.forEach(filter, from: key, limit: limit) { record in
                found.append(record)
                if found.count.isMultiple(of: 1_024) { try progress(found.count) }
            }
        }
        return found
    }
}

/// A cursor over the records of a transaction, in the order of their keys.
struct LMDBCursor {
    let cursor: OpaquePointer?
    let entity: EntitySpec

    /// Moves, and returns the record there; nil if there is none.
    func move(_ operation: MDB_cursor_op, to key: Int64 = 0) throws -> PackedRecord? {
        try withKey(key) { name in
            var (name, value) = (name, MDB_val())
            let code = mdb_cursor_get(cursor, &name, &value, operation)
            if code == MDB_NOTFOUND { return nil }
            try check(code)
            let bits = UInt64(bigEndian: UnsafeRawPointer(name.mv_data).loadUnaligned(as: UInt64.self))
            let bytes = UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
            return try PackedRecord(key: Int64(bitPattern: bits ^ 1 << 63), bytes: bytes)
        }
    }

    func put(_ record: PackedRecord, _ flags: Int32 = 0) throws {
        var bytes = record.bytes
        try withKey(record.key) { name in
            try bytes.withUnsafeMutableBytes {
                var (name, value) = (name, MDB_val(mv_size: $0.count, mv_data: $0.baseAddress))
                try check(mdb_cursor_put(cursor, &name, &value, UInt32(flags)))
            }
        }
    }

    /// Makes a key whose bytes sort as the number does.
    private func withKey<Result>(_ key: Int64, _ body: (MDB_val) throws -> Result) rethrows -> Result {
        var bits = (UInt64(bitPattern: key) ^ 1 << 63).bigEndian
        return try withUnsafeMutableBytes(of: &bits) { try body(MDB_val(mv_size: 8, mv_data: $0.baseAddress)) }
    }

    func record(_ key: Int64) throws -> PackedRecord {
        guard let record = try move(MDB_SET_KEY, to: key) else { throw LMDBMissing() }
        return record
    }

    /// Calls `body` with each record that matches, from a key on. It may store this record.
    func forEach(
        _ filter: FilterSpec? = nil, from key: Int64 = .min, limit: Int = .max, _ body: (PackedRecord) throws -> Void
    ) throws {
        let filter = filter.map { RecordFilter($0, entity: entity) }
        var (place, left) = (try move(MDB_SET_RANGE, to: key), limit)
        while let record = place, left > 0 {
            if filter?.matches({ record.values[$0] }) ?? true {
                try body(record)
                left -= 1
            }
            place = try move(MDB_NEXT)
        }
    }
}

/// Ends a transaction because a record that an operation names does not exist.
struct LMDBMissing: Error {}

func check(_ code: Int32) throws {
    if code != MDB_SUCCESS { throw RunError(.phase, "LMDB: \(String(cString: mdb_strerror(code)))") }
}
