/// Several workers at once, each with one operation after another, as fast as possible or at a chosen rate.
public struct LoadWork: Sendable, Equatable, Codable {
    /// The source of the workers' operations.
    public enum Source: Sendable, Equatable, Codable {
        /// Single operations, drawn from a mix over records drawn from a distribution.
        case mix(MixSpec)
        /// Saves that insert, change and delete several records, merged in another context.
        case saves(SaveSpec)
    }

    /// The source of the workers' operations.
    public var source: Source
    /// The number of concurrent workers, each with its own context or connection.
    public var workers: Int
    /// The end of the load, and the starts of its operations.
    public var pace: PaceSpec
    /// The store's reaction if another writer has changed a record since the worker read it.
    public var policy: ConflictPolicy
    /// The limits to check at the end, by the kind of operation; `all` applies to all operations together.
    public var limits: [String: LimitSpec]
    /// Whether the load ends as soon as a limit is missed for good.
    public var abortsEarly: Bool

    /// Creates the work.
    public init(
        source: Source, workers: Int, pace: PaceSpec, policy: ConflictPolicy = .error,
        limits: [String: LimitSpec] = [:],
        abortsEarly: Bool = false
    ) {
        self.source = source
        self.workers = workers
        self.pace = pace
        self.policy = policy
        self.limits = limits
        self.abortsEarly = abortsEarly
    }

    /// The saves; nil for a mix of operations.
    public var saves: SaveSpec? {
        if case .saves(let spec) = source { spec } else { nil }
    }
}

extension Phase.Work {
    /// Runs operations of several workers at once, at a chosen rate or as fast as possible.
    public static func load(_ work: LoadWork) -> Phase.Work { Phase.Work(work) }
}

/// The reaction of a store if another writer has changed a record since it was read: Core Data's merge policies, as far
/// as they differ for a single worker's save.
public enum ConflictPolicy: String, Sendable, Codable, CaseIterable {
    /// The save fails; the worker discards its changes, reads again and retries.
    case error
    /// The worker's changes win, attribute by attribute.
    case objectTrump = "object_trump"
    /// The store's values win, attribute by attribute.
    case storeTrump = "store_trump"
    /// The worker's whole record wins.
    case overwrite
}

/// A mix of operations by kind, over records by popularity.
public struct MixSpec: Sendable, Equatable, Codable {
    /// The weight of each kind; the sum of the weights is arbitrary.
    public var operations: [OperationKind: Double]
    /// The distribution of the records that operations use.
    public var keys: KeySpec
    /// The number of attributes that an update writes, drawn anew each time; 0 means all that can get new values.
    public var fieldsPerUpdate: Int
    /// The largest number of records of a scan; the smallest is 1.
    public var scanLengthMax: Int

    /// Creates a mix.
    public init(
        operations: [OperationKind: Double], keys: KeySpec = .uniform, fieldsPerUpdate: Int = 1,
        scanLengthMax: Int = 100
    ) {
        self.operations = operations
        self.keys = keys
        self.fieldsPerUpdate = fieldsPerUpdate
        self.scanLengthMax = scanLengthMax
    }
}

/// One kind of operation of a load.
public enum OperationKind: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    /// Fetches one record by its key and reads every attribute.
    case read
    /// Fetches one record by its key, writes some attributes, saves.
    case update
    /// Creates a record and saves it.
    case insert
    /// Fetches records in key order, from a key on.
    case scan
    /// Reads every attribute of a record, then updates it.
    case readModifyWrite = "read_modify_write"
    /// Deletes a record that the same worker inserted.
    case delete
    /// Inserts, changes and deletes several records in one save.
    case save

    /// The kinds that a mix may include.
    public static let single: [OperationKind] = [.read, .update, .insert, .scan, .readModifyWrite, .delete]
}

/// The distribution of popularity over records.
public enum KeySpec: Sendable, Equatable, Codable {
    /// All records are equally popular.
    case uniform
    /// Zipf's law with YCSB's skew of 0.99; the popular records are scattered over the store.
    case zipfian
    /// Zipf's law; the latest record is the most popular.
    case latest
    /// A number of records gets this share of the operations, the other records get the rest.
    case hotSet(records: Int, share: Double)
}

/// Saves of several records each, and the context that is notified of them.
public struct SaveSpec: Sendable, Equatable, Codable {
    /// The way in which a context on the main queue learns of a save.
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// It merges each did-save notification.
        case notifications
        /// It merges each did-save notification, and a fetched results controller notifies its delegate.
        case controller
        /// There is no such context.
        case unobserved
    }

    /// The records that a fetched results controller holds if it does not hold all.
    public enum Window: String, Sendable, Codable, CaseIterable {
        /// Those that were seeded first.
        case fixed
        /// Those that come first in the order, whichever these are after a save.
        case head
    }

    /// The way in which the main context learns of a save.
    public var mode: Mode
    /// Records that each save inserts.
    public var insertsPerSave: Int
    /// Records that each save changes.
    public var changesPerSave: Int
    /// Records that each save deletes, from those that the same worker inserted.
    public var deletesPerSave: Int
    /// The changes to each record.
    public var set: [AttributeChange]
    /// The share of changes to records of the hot set, which all workers share; other changes stay within a worker's
    /// own part of the records.
    public var contention: Double
    /// Records in the hot set.
    public var hotRecords: Int
    /// Records that the fetched results controller holds, sorted; 0 means all.
    public var windowRecords: Int
    /// The records that the fetched results controller holds; nil means those that were seeded first. Optional, since
    /// older files lack it.
    public var window: Window?
    /// The order of the controller's records.
    public var sort: [SortSpec]

    /// Creates saves.
    public init(
        mode: Mode, insertsPerSave: Int, changesPerSave: Int, deletesPerSave: Int, set: [AttributeChange],
        contention: Double = 0, hotRecords: Int = 100, windowRecords: Int = 0, window: Window? = nil,
        sort: [SortSpec] = []
    ) {
        self.mode = mode
        self.insertsPerSave = insertsPerSave
        self.changesPerSave = changesPerSave
        self.deletesPerSave = deletesPerSave
        self.set = set
        self.contention = contention
        self.hotRecords = hotRecords
        self.windowRecords = windowRecords
        self.window = window
        self.sort = sort
    }

    /// The number of records at the head of the order that the fetched results controller holds; nil if it does not
    /// follow the head.
    public var headRecords: Int? { window == .head ? windowRecords : nil }
}
