import Dispatch
import Foundation

/// A store that can be benchmarked.
///
/// Conform to this protocol and to ``StoreSession`` and hand an instance to the command's entry point to put any store
/// through the same scenarios. A driver only does the work; the harness holds the clock, decides what must have
/// happened and checks it.
public protocol StoreDriver: Sendable {
    /// How the driver is called on the command line and in results, such as `managed`.
    var name: String { get }
    /// One line for `bench list`.
    var summary: String { get }
    /// Facts for the manifest: library versions, `baseline_revision`.
    var properties: [String: String] { get }
    /// Nil when the driver can do `phase` on `entity`; otherwise why it cannot. An unsupported phase is reported as
    /// such.
    func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String?
    /// Opens the store in `configuration.directory`, creating it when the directory is empty.
    func open(_ configuration: StoreConfiguration) throws -> any StoreSession
}

extension StoreDriver {
    /// Everything is supported unless a driver says otherwise.
    public func unsupportedReason(for phase: Phase, entity: EntitySpec) -> String? { nil }
    /// No properties unless a driver says otherwise.
    public var properties: [String: String] { [:] }
}

/// Where and how to open a store.
public struct StoreConfiguration: Sendable {
    /// The store's own directory. The harness restores a phase's starting state by replacing its content while no
    /// session is open, so all that the store keeps must lie in it.
    public var directory: URL
    /// The entity of the scenario.
    public var entity: EntitySpec
    /// The settings to open with.
    public var options: StoreOptions
    /// Makes the values of the record with a given ordinal.
    public var records: RecordGenerator

    /// Creates a configuration.
    public init(directory: URL, entity: EntitySpec, options: StoreOptions, records: RecordGenerator) {
        self.directory = directory
        self.entity = entity
        self.options = options
        self.records = records
    }
}

/// An open store. A session is used from one thread, but for the making of load workers; `queue` is its own.
///
/// `open`, what begins with `prepare` or `check`, `close`, `scan` and `forEachRecord` run outside the clock, the rest
/// within. What concerns loads has an implementation that says that the driver does none.
public protocol StoreSession: AnyObject {
    /// The queue of the context that fetches, on which results are delivered; its stalls are measured. For `merge` it
    /// is ``mergeQueue`` that counts.
    var queue: DispatchQueue { get }
    /// The queue that merges what writers saved; the main queue unless a driver says otherwise.
    var mergeQueue: DispatchQueue { get }

    /// Loads the records that a per-object update changes and holds them until ``finish()``. Called before the clock
    /// starts, for ``UpdateWork/Mode-swift.enum/perObject`` alone.
    func prepareUpdate(_ work: UpdateWork) throws
    /// Loads into the merging context every record that `plan` changes or deletes, and holds them until ``finish()``.
    /// Called before the clock starts.
    func prepareMerge(_ plan: MergePlan) throws

    /// Creates the records with the ordinals `0..<records` and saves them. Record `n` is remembered as the `n`-th.
    /// Where records belong to owners (``EntitySpec/owner``), creates these too, the one numbered 1 first.
    func seed(_ work: SeedWork, records: Int, monitor: PhaseMonitor) throws
    /// Fetches on `queue` and returns when done. ``FetchWork/attributes`` and ``FetchWork/follow`` say what is handed
    /// back.
    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords
    /// Fetches off `queue`, delivers on it, and returns when the completion block has returned and the records were
    /// touched. Calls ``PhaseMonitor/progress(_:)`` while records are found, ``PhaseMonitor/onCancel(_:)`` once it can
    /// be cancelled, ``PhaseMonitor/completed()`` as the first act of the completion block and
    /// ``PhaseMonitor/delivered()`` as its last.
    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords
    /// Changes records. Calls ``PhaseMonitor/operation(_:)`` around each save of a chunked update.
    func update(_ work: UpdateWork, monitor: PhaseMonitor) throws
    /// Runs the writers of `plan` at once and returns when all that they saved was merged. Each save is one operation.
    /// The result is what the merging context then holds: the records that were changed and those that were inserted.
    func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords
    /// Writes the log back into the database and truncates it.
    func checkpoint() throws

    /// Opens what those use who are told of a load's saves. Called before the clock starts.
    func prepareLoad(_ work: LoadWork, monitor: LoadMonitor) throws
    /// Makes the worker with this index, on the thread that it will work on.
    func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker
    /// Returns when those who are told of saves have taken in all of them.
    func endLoad() throws
    /// What is wrong with what those hold; empty when all is well.
    func checkLoad() throws -> [String]
    /// Hands over every record as it lies in the store, read through a fresh connection, in any order.
    func forEachRecord(_ body: (StoredRecord) -> Void) throws

    /// Lets go of what was prepared.
    func finish()
    /// Exact counts since the session was opened or ``resetCounters()`` was called.
    func counters() throws -> StoreCounters
    /// Sets the counters to zero, the store library's own memory peak included.
    func resetCounters()
    /// Reads every record of the store through a fresh connection, in any order; and every owner, its attributes and
    /// its number.
    func scan(into digester: inout RecordDigester) throws
    /// What the store's own consistency check finds wrong; empty when all is well.
    func checkIntegrity() throws -> [String]
    /// Closes the store; the session is not used after.
    func close() throws
}

extension StoreSession {
    /// The main queue.
    public var mergeQueue: DispatchQueue { .main }

    /// No context is told of saves.
    public func prepareLoad(_ work: LoadWork, monitor: LoadMonitor) throws {}
    /// There is nothing to wait for.
    public func endLoad() throws {}
    /// No object is kept.
    public func checkLoad() throws -> [String] { [] }
    /// The driver has no workers.
    public func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker { throw Self.doesNoLoads }
    /// The driver cannot show what a load has left.
    public func forEachRecord(_ body: (StoredRecord) -> Void) throws { throw Self.doesNoLoads }

    private static var doesNoLoads: RunError {
        RunError(.phase, "the driver does no loads: its sessions lack makeLoadWorker or forEachRecord")
    }
}

/// Records that a phase got from the store, held until they have been verified.
public protocol FetchedRecords {
    /// How many there are.
    var count: Int { get }
    /// Feeds every record, in order, to `digester`.
    func digest(into digester: inout RecordDigester) throws
}

/// Exact counts of what a store did. Nil is not known, which is not 0.
public struct StoreCounters: Sendable, Equatable, Codable {
    /// SQL statements run.
    public var statements: Int?
    /// Steps of SQLite's virtual machine.
    public var vmSteps: Int?
    /// Rows read from or written to the store by statements.
    public var rows: Int?
    /// Database pages written by connections' page caches.
    public var pagesWritten: Int?
    /// Saves refused because another writer had changed a record.
    public var conflicts: Int?
    /// The most memory that the store library itself had allocated, in bytes.
    public var storeMemoryPeakBytes: Int?

    /// Creates counters; what is left out is not known.
    public init(
        statements: Int? = nil, vmSteps: Int? = nil, rows: Int? = nil, pagesWritten: Int? = nil, conflicts: Int? = nil,
        storeMemoryPeakBytes: Int? = nil
    ) {
        self.statements = statements
        self.vmSteps = vmSteps
        self.rows = rows
        self.pagesWritten = pagesWritten
        self.conflicts = conflicts
        self.storeMemoryPeakBytes = storeMemoryPeakBytes
    }
}

/// What each writer of a merge phase does: fixed in advance, so that the end state is known.
public struct MergePlan: Sendable, Equatable {
    /// One save of one writer: ordinals of records to insert, to change and to delete.
    public struct Save: Sendable, Equatable {
        /// Ordinals of the records to insert, beyond those seeded.
        public var inserts: Range<Int>
        /// Ordinals of the seeded records to change.
        public var changes: Range<Int>
        /// Ordinals of the seeded records to delete.
        public var deletes: Range<Int>

        /// Creates a save.
        public init(inserts: Range<Int>, changes: Range<Int>, deletes: Range<Int>) {
            self.inserts = inserts
            self.changes = changes
            self.deletes = deletes
        }
    }

    /// What a change does to a record.
    public var set: [AttributeChange]
    /// The saves of each writer, in order. No two saves share a record.
    public var writers: [[Save]]

    /// Creates a plan.
    public init(set: [AttributeChange], writers: [[Save]]) {
        self.set = set
        self.writers = writers
    }
}
