import Foundation

/// A benchmark: entities, the generation of their records, and the phases that use them.
///
/// ``ScenarioReader`` reads a scenario from JSON; the same limits apply to one built in code.
public struct Scenario: Sendable, Equatable, Codable {
    /// Identifies the scenario in results and in the names of result files.
    public var name: String
    /// One or two sentences for `bench list`.
    public var summary: String
    /// Seeds every generator, and the order of the drivers.
    public var seed: UInt64
    /// The number of measured runs of each driver.
    public var repetitions: Int
    /// The number of runs of each driver that come first and are not recorded.
    public var warmups: Int
    /// Whether the phases of a repetition run in separate processes.
    public var isolation: Isolation
    /// The names of the drivers to run, in the order of the table; empty means all drivers.
    public var drivers: [String]
    /// The settings of the store; the manifest records them.
    public var store: StoreOptions
    /// The entities of the store, each with its number of records. Phases are about the first unless they name another.
    public var entities: [EntitySpec]
    /// The place of the entity that ``entity`` is: the first, or that of a phase which the scenario is seen from.
    var focus = 0
    /// The work, in order.
    public var phases: [Phase]
    /// The percentage by which a metric may get worse in a comparison, by the metric's name. If this is nil or lacks a
    /// metric, the metric's default applies. Optional, as all later properties must be: manifests hold scenarios of all
    /// versions.
    public var thresholdsPercent: [String: Double]?
    /// The numbers of records at which every phase runs, ascending; nil if there is only one.
    public var sizes: [Int]?
    /// The limits on the growth of figures with the number of records; nil if there are none.
    public var growth: GrowthSpec?
    /// The scenarios with plain numbers, one for each combination, as which a scenario with lists of numbers runs; nil
    /// if it has no lists. The scenario itself has the first number of each list.
    public var variants: [ScenarioVariant]?

    /// Creates a scenario from its parts.
    public init(
        name: String, summary: String = "", seed: UInt64 = 1, records: Int, repetitions: Int = 1, warmups: Int = 0,
        isolation: Isolation = .process, drivers: [String] = [], store: StoreOptions = StoreOptions(),
        entity: EntitySpec, phases: [Phase], thresholdsPercent: [String: Double]? = nil,
        sizes: [Int]? = nil, growth: GrowthSpec? = nil
    ) {
        self.name = name
        self.summary = summary
        self.seed = seed
        self.repetitions = repetitions
        self.warmups = warmups
        self.isolation = isolation
        self.drivers = drivers
        self.store = store
        entities = [entity]
        self.phases = phases
        self.thresholdsPercent = thresholdsPercent
        self.sizes = sizes
        self.growth = growth
        self.records = records
    }
}

/// The place where a repetition runs.
public enum Isolation: String, Sendable, Codable, CaseIterable {
    /// Each phase with a new store, together with the phases that continue from it, runs in a new process, in every
    /// repetition of every driver: no phase inherits a heap or a cache.
    case process
    /// All phases run in the calling process: for tests and debuggers.
    case none
}

/// The settings of a store, equal for every driver of a run.
public struct StoreOptions: Sendable, Equatable, Codable {
    /// `PRAGMA synchronous`.
    public enum Synchronous: String, Sendable, Codable, CaseIterable {
        /// No fsync at all.
        case off
        /// Fsync at checkpoints: a power cut may lose the last commits, never the database.
        case normal
        /// Fsync at every commit.
        case full
        /// `full`, and an fsync of the directory too.
        case extra
    }

    /// `PRAGMA synchronous`.
    public var synchronous: Synchronous
    /// `PRAGMA cache_size`, in KiB per connection.
    public var cacheSizeKiB: Int
    /// `PRAGMA page_size`, in bytes.
    public var pageSizeBytes: Int
    /// `PRAGMA mmap_size`, in bytes; 0 turns memory mapping off.
    public var mmapSizeBytes: Int
    /// `PRAGMA wal_autocheckpoint`, in pages; 0 turns automatic checkpoints off.
    public var walAutocheckpointPages: Int
    /// How long to wait for another connection's lock, in milliseconds.
    public var busyTimeoutMilliseconds: Int

    /// SQLite's defaults, in WAL with `synchronous=NORMAL`.
    public init(
        synchronous: Synchronous = .normal, cacheSizeKiB: Int = 2_000, pageSizeBytes: Int = 4_096,
        mmapSizeBytes: Int = 0, walAutocheckpointPages: Int = 1_000, busyTimeoutMilliseconds: Int = 5_000
    ) {
        self.synchronous = synchronous
        self.cacheSizeKiB = cacheSizeKiB
        self.pageSizeBytes = pageSizeBytes
        self.mmapSizeBytes = mmapSizeBytes
        self.walAutocheckpointPages = walAutocheckpointPages
        self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
    }
}
