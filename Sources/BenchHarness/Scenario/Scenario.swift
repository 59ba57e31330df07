import Foundation

/// What one benchmark does: an entity, how its records are made, and the phases that work on them.
///
/// A scenario is read from JSON by ``ScenarioReader``; the same limits hold for one built in code.
public struct Scenario: Sendable, Equatable, Codable {
    /// Identifies the scenario in results and in the names of result files.
    public var name: String
    /// One or two sentences for `bench list`.
    public var summary: String
    /// Seeds every generator and the order in which drivers take turns.
    public var seed: UInt64
    /// Records in a seeded store; the largest number where there are several ``sizes``.
    public var records: Int
    /// Measured runs of each driver.
    public var repetitions: Int
    /// Runs of each driver that come first and are not recorded.
    public var warmups: Int
    /// Whether the phases of a repetition run in processes of their own.
    public var isolation: Isolation
    /// Names of the drivers to run, in the order of the table; empty means every driver there is.
    public var drivers: [String]
    /// How the store is opened; recorded in the manifest.
    public var store: StoreOptions
    /// The entity that every record belongs to.
    public var entity: EntitySpec
    /// The work, in order.
    public var phases: [Phase]
    /// By how many percent a metric may get worse in a comparison, by the metric's name; nil and what it leaves out is
    /// left to the metric's default. Optional, as every property that came later must be: manifests hold scenarios of
    /// all ages.
    public var thresholdsPercent: [String: Double]?
    /// The numbers of records at which everything is done, ascending; nil where there is but one.
    public var sizes: [Int]?
    /// How figures may grow with the number of records; nil where nothing is demanded.
    public var growth: GrowthSpec?

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
        self.records = records
        self.repetitions = repetitions
        self.warmups = warmups
        self.isolation = isolation
        self.drivers = drivers
        self.store = store
        self.entity = entity
        self.phases = phases
        self.thresholdsPercent = thresholdsPercent
        self.sizes = sizes
        self.growth = growth
    }
}

/// Where a repetition runs.
public enum Isolation: String, Sendable, Codable, CaseIterable {
    /// Each phase that starts from a store made for it, and what goes on from it, in a fresh process in every
    /// repetition of every driver: no heap or cache is inherited.
    case process
    /// Everything in the calling process: for tests and debuggers.
    case none
}

/// The settings a store is opened with, the same for every driver of a run.
public struct StoreOptions: Sendable, Equatable, Codable {
    /// `PRAGMA synchronous`.
    public enum Synchronous: String, Sendable, Codable, CaseIterable {
        /// No fsync at all.
        case off
        /// Fsync at checkpoints: a power cut may lose the last commits, never the database.
        case normal
        /// Fsync at every commit.
        case full
        /// `full`, and the directory too.
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
    /// How long to wait for a lock that another connection holds, in milliseconds.
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
