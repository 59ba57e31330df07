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

    func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String? {
        entity.owner == nil ? nil : "it keeps no relationships"
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
    func forEachRecord(_ body: (StoredRecord) -> Void) throws {
        let store = try LMDBStore(configuration, flags: MDB_RDONLY | MDB_NOLOCK)
        try store.transaction(MDB_RDONLY) { cursor in
            try cursor.forEach { body(StoredRecord(values: $0.values, version: $0.version)) }
        }
    }

    /// LMDB has no check of its own.
    func checkIntegrity() -> [String] { [] }

    func plant(_ values: PlantedValues) throws {
        let store = try LMDBStore(configuration, flags: 0)
        try store.transaction { cursor in
            for (ordinal, planted) in values.records {
                var record = try cursor.record(store.key(ordinal))
                for (attribute, value) in planted { record.values[attribute] = value }
                try cursor.put(record)
            }
        }
    }
}
