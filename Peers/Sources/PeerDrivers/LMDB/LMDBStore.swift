import BenchHarness
import CLMDB
import DriverSupport
import Foundation

/// An open environment, with a tree for each entity, a record under each key. Unchecked because LMDB lets any thread use
/// an environment.
///
/// The records of one entity lie in the environment's main tree. Several have a tree each, and so have the relationships
/// that lead to many: the numbers of those records under the number of the one that leads to them.
final class LMDBStore: @unchecked Sendable {
    private static let shared = SharedStores<LMDBStore>()
    let configuration: StoreConfiguration
    let schema: Schema
    private(set) var environment: OpaquePointer?
    /// The records of the session's entity.
    let table: LMDBTable
    private let otherTables: [String: LMDBTable]
    private var trees: [String: MDB_dbi] = [:]
    private(set) var ownTree: MDB_dbi = 0
    var entity: EntitySpec { configuration.entity }

    init(_ configuration: StoreConfiguration, flags: Int32) throws {
        (self.configuration, schema) = (configuration, configuration.schema)
        table = LMDBTable(configuration.records)
        otherTables = Dictionary(
            schema.others.map { [schema] in (schema.entities[$0].name, LMDBTable(configuration.generator(of: $0))) },
            uniquingKeysWith: { $1 })
        try check(mdb_env_create(&environment))
        // 64 GiB of the address space: memory and disk hold only what the file needs.
        try check(mdb_env_set_mapsize(environment, 1 << 36))
        if !schema.others.isEmpty { try check(mdb_env_set_maxdbs(environment, UInt32(treeNames.count))) }
        try check(mdb_env_open(environment, configuration.directory.path, UInt32(flags | MDB_NOTLS), 0o644))
        try openTrees(flags & MDB_RDONLY)
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
        try withTransaction(flags) { handle in
            let transaction = try LMDBTransaction(self, handle)
            defer { transaction.close() }
            return try body(transaction.records)
        }
    }

    private func withTransaction<Result>(_ flags: Int32, _ body: (OpaquePointer?) throws -> Result) throws -> Result {
        var transaction: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, UInt32(flags), &transaction))
        defer { mdb_txn_abort(transaction) }
        let value = try body(transaction)
        try check(mdb_txn_commit(transaction.take()))
        return value
    }

    /// Reads the records that match, from a key on.
    func read(
        _ filter: FilterSpec?, from key: Int64 = .min, limit: Int = .max, progress: (Int) throws -> Void = { _ in }
    ) throws -> [PackedRecord] {
        try transaction(MDB_RDONLY) { try $0.read(filter, from: key, limit: limit, progress: progress) }
    }
}

extension LMDBStore {
    /// Finds the records of a fetch that follows no relationship.
    func fetch(_ work: FetchWork, progress: (Int) throws -> Void = { _ in }) throws -> FetchedValues {
        try transaction(MDB_RDONLY) { cursor in
            let limit = work.sort.isEmpty && work.limit > 0 ? work.limit : .max
            let found = try cursor.read(work.filter, limit: limit, progress: progress).map(\.values)
            let order = try cursor.transaction.related(entity).order(work.sort)
            return try FetchedValues(found, for: work, of: entity, by: order)
        }
    }
}

// MARK: - Trees

extension LMDBStore {
    /// The trees of records and those of relationships to many.
    private var treeNames: [(name: String, isIndex: Bool)] {
        schema.records.map { ($0.name, false) }
            + schema.records.flatMap { entity in entity.toOnes.indices.map { (entity.treeName(of: $0), true) } }
            + schema.links.flatMap { [($0.name, true), ($0.backTreeName, true)] }
    }

    private func openTrees(_ flags: Int32) throws {
        try withTransaction(flags) { transaction in
            if schema.others.isEmpty { return try openTree(nil, as: entity.name, 0, transaction) }
            let creating = flags == MDB_RDONLY ? 0 : MDB_CREATE
            for (name, isIndex) in treeNames {
                try openTree(name, as: name, creating | (isIndex ? MDB_DUPSORT | MDB_DUPFIXED : 0), transaction)
            }
        }
    }

    private func openTree(_ name: String?, as key: String, _ flags: Int32, _ transaction: OpaquePointer?) throws {
        var tree: MDB_dbi = 0
        try check(mdb_dbi_open(transaction, name, UInt32(flags), &tree))
        trees[key] = tree
        if key == entity.name { ownTree = tree }
    }

    func tree(_ name: String) -> MDB_dbi { trees[name] ?? 0 }

    func table(of entity: EntitySpec) throws(RunError) -> LMDBTable {
        if entity.name == self.entity.name { return table }
        if let table = otherTables[entity.name] { return table }
        throw RunError(.phase, "the store has no records of \(entity.name)")
    }
}

extension LMDBCursor {
    /// Reads the records that match, from a key on.
    func read(
        _ filter: FilterSpec?, from key: Int64 = .min, limit: Int = .max, progress: (Int) throws -> Void = { _ in }
    ) throws -> [PackedRecord] {
        var found: [PackedRecord] = []
        try forEach(filter, from: key, limit: limit) { record in
            found.append(record)
            if found.count.isMultiple(of: 1_024) { try progress(found.count) }
        }
        return found
    }
}

func check(_ code: Int32) throws {
    if code != MDB_SUCCESS { throw RunError(.phase, "LMDB: \(String(cString: mdb_strerror(code)))") }
}
