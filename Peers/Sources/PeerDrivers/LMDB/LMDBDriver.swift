import BenchHarness
import CLMDB

/// Opens stores in LMDB, a tree of keys and values in a memory map.
struct LMDBDriver: StoreDriver {
    let name = "lmdb"
    let summary = "LMDB: a tree of keys and values in a memory map, filtered and sorted in Swift"
    var sessionType: any StoreSession.Type { LMDBSession.self }
    var properties: [String: String] {
        [
            "lmdb_version": String(cString: mdb_version(nil, nil, nil)),
            "lmdb_synchronous": "off: MDB_NOSYNC; normal: MDB_NOMETASYNC, each commit syncs the data, but not the page "
                + "that makes it current; full, extra: the default, each commit syncs both",
        ]
    }

    func obstacle(to feature: Schema.Feature) -> String? {
        [.inheritance, .denials, .orderedPairs].contains(feature) ? feature.lack : nil
    }
    func open(_ configuration: StoreConfiguration) throws -> any StoreSession { try LMDBSession(configuration) }
    func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? { LMDBWitness(configuration) }
    func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? { LMDBWitness(configuration) }
}

extension StoreOptions.Synchronous {
    var flags: Int32 { self == .off ? MDB_NOSYNC : self == .normal ? MDB_NOMETASYNC : 0 }
}

/// Reads an environment apart from its sessions, and plants values in it.
struct LMDBWitness: StoreInspector, StorePlanter {
    let name = "reader of LMDB environments"
    let countsVersions = true
    private let configuration: StoreConfiguration

    init(_ configuration: StoreConfiguration) { self.configuration = configuration }

    /// Takes no locks: a session of this process may hold them, and nothing writes meanwhile.
    private func read<Result>(_ body: (LMDBCursor) throws -> Result) throws -> Result {
        try LMDBStore(configuration, flags: MDB_RDONLY | MDB_NOLOCK).transaction(MDB_RDONLY, body)
    }

    func forEachRecord(_ body: (StoredRecord) -> Void) throws {
        try read { try $0.forEach { body(StoredRecord(values: $0.values, version: $0.version)) } }
    }

    func scan(into scan: inout StoreScan) throws {
        try read { cursor in
            try cursor.forEach { record in
                for value in record.values { scan.values.add(value) }
                scan.endRecord(version: record.version)
            }
            try cursor.transaction.related(configuration.entity).scanOthers(into: &scan)
        }
    }

    /// LMDB has no check of its own; the trees of relationships must agree with the records.
    func checkIntegrity() throws -> [String] {
        try read { cursor in
            try configuration.schema.records.flatMap { entity in
                try entity.toOnes.indices.compactMap { try cursor.transaction.finding(about: $0, of: entity) }
            }
        }
    }

    func plant(_ values: PlantedValues) throws {
        let store = try LMDBStore(configuration, flags: 0)
        try store.transaction { cursor in
            for (ordinal, planted) in values.records {
                let old = try cursor.record(cursor.table.key(ordinal))
                var record = old
                for (attribute, value) in planted { record.values[attribute] = value }
                try cursor.replace(old, with: record)
            }
        }
    }
}

extension LMDBTransaction {
    /// Returns what is wrong with the tree of a relationship's inverse; nil if nothing is.
    fileprivate func finding(about toOne: Int, of entity: EntitySpec) throws -> String? {
        let name = entity.treeName(of: toOne)
        let index = try index(name)
        var (records, missing) = (0, 0)
        try forEachRecord(of: entity) { number, values in
            guard let target = values.number(entity, toOne) else { return }
            records += 1
            if try !index.contains(number, under: target) { missing += 1 }
        }
        let entries = try count(name)
        if missing == 0, entries == records { return nil }
        return "\(name) has \(entries) numbers, and lacks \(missing) of \(records)"
    }
}
