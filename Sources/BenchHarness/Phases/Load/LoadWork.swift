/// Several workers at once do one operation after another, as fast as they go or at a chosen rate.
public struct LoadWork: Sendable, Equatable, Codable {
    /// What the workers do.
    public enum Source: Sendable, Equatable, Codable {
        /// Single operations, drawn from a mix over records drawn from a distribution.
        case mix(MixSpec)
        /// Saves that insert, change and delete several records, merged in another context.
        case saves(SaveSpec)
    }

    /// What the workers do.
    public var source: Source
    /// Workers at once, each with a context or connection of its own.
    public var workers: Int
    /// When they stop, and when operations begin.
    public var pace: PaceSpec
    /// What a store does when another writer has changed a record since it was read.
    public var policy: ConflictPolicy
    /// What must hold at the end, by the kind of operation; `all` stands for every operation.
    public var limits: [String: LimitSpec]
    /// Whether the load ends as soon as a limit cannot be met any more.
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

    /// The saves, where the workers save; nil for a mix of operations.
    public var saves: SaveSpec? {
        if case .saves(let spec) = source { spec } else { nil }
    }
}

/// What a store does when another writer has changed a record since it was read: Core Data's merge policies, as far as
/// they differ for a single worker's save.
public enum ConflictPolicy: String, Sendable, Codable, CaseIterable {
    /// The save fails; the worker takes its changes back, reads anew and tries again.
    case error
    /// What the worker changed wins, attribute by attribute.
    case objectTrump = "object_trump"
    /// What the store has wins, attribute by attribute.
    case storeTrump = "store_trump"
    /// The worker's whole record wins.
    case overwrite
}

/// Operations by kind, over records by popularity.
public struct MixSpec: Sendable, Equatable, Codable {
    /// The share of each kind; they need not add up to anything.
    public var operations: [OperationKind: Double]
    /// Which records they are about.
    public var keys: KeySpec
    /// Attributes that an update writes, drawn anew each time; 0 means all that have new values to take.
    public var fieldsPerUpdate: Int
    /// A scan reads from 1 to this many records.
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
    /// Makes a record and saves it.
    case insert
    /// Fetches records in the order of their keys, from one on.
    case scan
    /// Reads every attribute of a record, then updates it.
    case readModifyWrite = "read_modify_write"
    /// Deletes a record that was inserted by the same worker.
    case delete
    /// Inserts, changes and deletes several records in one save.
    case save

    /// The kinds that a mix can have.
    public static let single: [OperationKind] = [.read, .update, .insert, .scan, .readModifyWrite, .delete]
}

/// How popular records are.
public enum KeySpec: Sendable, Equatable, Codable {
    /// All alike.
    case uniform
    /// By Zipf's law with YCSB's skew of 0.99, the popular ones scattered over the store.
    case zipfian
    /// By Zipf's law, the latest the most popular.
    case latest
    /// So many records draw this share of the operations, the others the rest.
    case hotSet(records: Int, share: Double)
}

/// Saves of several records each, and those who are told of them.
public struct SaveSpec: Sendable, Equatable, Codable {
    /// How a context on the main queue learns of a save.
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// By merging each did-save notification.
        case notifications
        /// By merging each did-save notification, with a fetched results controller that tells its delegate.
        case controller
        /// Not at all: there is none.
        case unobserved
    }

    /// How the main context learns of a save.
    public var mode: Mode
    /// Records inserted in each save.
    public var insertsPerSave: Int
    /// Records changed in each save.
    public var changesPerSave: Int
    /// Records deleted in each save, of those that the same worker inserted.
    public var deletesPerSave: Int
    /// What a change does to a record.
    public var set: [AttributeChange]
    /// The share of changes that go to the hot set, which all workers share; other changes stay within a worker's own
    /// part.
    public var contention: Double
    /// Records in the hot set.
    public var hotRecords: Int
    /// Records that the fetched results controller holds, sorted; 0 means all.
    public var windowRecords: Int
    /// The order of the controller's records.
    public var sort: [SortSpec]

    /// Creates saves.
    public init(
        mode: Mode, insertsPerSave: Int, changesPerSave: Int, deletesPerSave: Int, set: [AttributeChange],
        contention: Double = 0, hotRecords: Int = 100, windowRecords: Int = 0, sort: [SortSpec] = []
    ) {
        self.mode = mode
        self.insertsPerSave = insertsPerSave
        self.changesPerSave = changesPerSave
        self.deletesPerSave = deletesPerSave
        self.set = set
        self.contention = contention
        self.hotRecords = hotRecords
        self.windowRecords = windowRecords
        self.sort = sort
    }
}
