import BenchDrivers
import BenchHarness
import ForwardingDriver
import Foundation

/// A driver that takes a shortcut with what it writes or reports, and the reason for which the harness must fail it.
struct WritingCheat: StoreDriver {
    let name: String
    let summary = "for tests"
    /// The scenario in which it cheats.
    let scenario: Scenario
    /// The phase that must fail.
    let phase: String
    /// What the failure must say.
    let reason: String
    /// Whether the harness inspects the store itself.
    var isInspected = true
    /// Whether the harness gives some records values that the driver has not seen.
    var isPlanted = false
    /// Changes the settings of the scenario.
    private let change: @Sendable (inout StoreOptions) -> Void
    private let base: any StoreDriver
    private let type: @Sendable () -> any StoreSession.Type
    private let session: @Sendable (any StoreSession, StoreConfiguration) -> any StoreSession

    init(
        _ name: String, over base: any StoreDriver = SQLiteDriver(), in scenario: Scenario, phase: String,
        reason: String,
        sessionType: @autoclosure @escaping @Sendable () -> any StoreSession.Type = ForwardingSession.self,
        session: @escaping @Sendable (any StoreSession, StoreConfiguration) -> any StoreSession,
        changing change: @escaping @Sendable (inout StoreOptions) -> Void = { _ in }
    ) {
        self.name = name
        self.base = base
        self.scenario = scenario
        self.phase = phase
        self.reason = reason
        type = sessionType
        self.change = change
        self.session = session
    }

    var sessionType: any StoreSession.Type { type() }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        var changed = configuration
        change(&changed.options)
        return session(try base.open(changed), configuration)
    }

    func inspector(of configuration: StoreConfiguration) -> (any StoreInspector)? {
        isInspected ? base.inspector(of: configuration) : nil
    }

    func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? {
        isPlanted ? base.planter(of: configuration) : nil
    }
}

extension WritingCheat {
    static let all =
        unreported + unwritten + overlaid + early + late + united + unversioned + unset + unsynced + loaded + coalesced

    /// Drivers that leave figures out.
    private static let unreported = [
        WritingCheat(
            "reports no saves of a seed", in: .cheats, phase: "seed",
            reason: "the driver reported 0 saves; expected 2 or more"
        ) { base, _ in Unreporting(base) },
        WritingCheat(
            "saves a seed once instead of several times", in: .cheats, phase: "seed",
            reason: "the driver reported 1 save; expected 2 or more"
        ) { base, _ in SavingOnce(base) },
        WritingCheat(
            "reports no chunks", in: .cheats, phase: "chunked",
            reason: "the driver reported 0 saves of chunks; expected 4 or more"
        ) { base, _ in Unreporting(base) },
        WritingCheat(
            "reports no saves of a merge", in: .cheats, phase: "merge",
            reason: "the driver reported 0 saves; expected 6"
        ) { base, _ in Unreporting(base) },
        WritingCheat(
            "ignores the watcher of a load", over: ManagedDriver(), in: .watched(.notifications), phase: "load",
            reason: "the driver reported 0 merged saves; expected 20", sessionType: UnreportingWatched.self
        ) { base, _ in UnreportingWatched(base, reportsMerges: false) },
        WritingCheat(
            "merges without a controller", over: ManagedDriver(), in: .watched(.controller), phase: "load",
            reason: "the driver reported 0 saves that reached the delegate; expected 20",
            sessionType: UnreportingWatched.self
        ) { base, _ in UnreportingWatched(base, reportsMerges: true) },
    ]

    /// Drivers that do not write what they should.
    private static let unwritten = [
        WritingCheat(
            "writes no log back", in: .cheats, phase: "checkpoint", reason: "bytes after the checkpoint; expected none"
        ) { base, _ in Uncheckpointing(base) }
    ]

    /// Drivers that write a whole range where records differ.
    private static let coalesced = ["drawn", "drawn-chunked"].flatMap { phase in
        [
            ("one value", Coalescing.Shortcut.oneValue), ("texts of one length", .oneLength),
            ("records that the filter leaves out", .everyRecord),
        ].map { what, shortcut in
            WritingCheat(
                "writes \(what) (\(phase))", in: .uncoalesced, phase: phase,
                reason: "the store does not hold the expected values"
            ) { base, _ in Coalescing(base, shortcut) }
        }
    }

    /// Drivers that work before the clock starts.
    private static let early = [
        WritingCheat(
            "updates while it prepares", in: .cheats, phase: "per-object",
            reason: "the store changed before the clock started: the store does not hold the expected values"
        ) { base, _ in EarlyUpdating(base) },
        WritingCheat(
            "saves while it prepares a merge", in: .cheats, phase: "merge",
            reason: "the store changed before the clock started: the store holds 206 records; expected 200"
        ) { base, _ in EarlyMerging(base) },
        WritingCheat(
            "changes records before the clock and commits within it", in: .cheats, phase: "per-object",
            reason: "a transaction that changes the store was open before the clock started"
        ) { base, configuration in OpenTransaction(base, SQLiteDriver.file(in: configuration.directory)) },
        WritingCheat(
            "seeds while it opens", in: .cheats, phase: "seed",
            reason: "the store changed before the clock started: the store holds 200 records; expected 0"
        ) { base, _ in EarlySeeding(base) },
    ]

    /// Drivers that work after the clock has stopped.
    private static let late = [
        WritingCheat(
            "saves when the counters are read", in: .cheats, phase: "per-object",
            reason: "the store changed after the clock stopped: its log holds later commits"
        ) { base, _ in LateSaving(base) }
    ]

    /// Drivers that make one transaction of several saves.
    private static let united = [
        WritingCheat(
            "makes one transaction of all saves of a seed", in: .cheats, phase: "seed",
            reason: "commits of the phase in the log: 1; expected 2 or more"
        ) { base, _ in SingleTransaction(base) },
        WritingCheat(
            "makes one transaction of all chunks", in: .cheats, phase: "chunked",
            reason: "commits of the phase in the log: 1; expected 4 or more"
        ) { base, _ in SingleTransaction(base) },
    ]

    /// Drivers that write, and do not count it.
    private static let unversioned = ["per-object", "chunked", "batch", "merge"].map { phase in
        WritingCheat(
            "does not count versions (\(phase))", in: .cheats, phase: phase,
            reason: "the versions of the records do not count the saves that wrote them"
        ) { base, configuration in Unversioning(base, SQLiteDriver.file(in: configuration.directory)) }
    }

    /// Drivers with settings of their own.
    private static let unset: [WritingCheat] = [SQLiteDriver() as any StoreDriver, ManagedDriver()].flatMap { base in
        [
            WritingCheat(
                "does not sync (\(base.name))", over: base, in: .cheats, phase: "seed",
                reason: "the store works with synchronous off; expected normal",
                session: { base, _ in ForwardingSession(base) }, changing: { $0.synchronous = .off }),
            WritingCheat(
                "takes a large cache (\(base.name))", over: base, in: .cheats, phase: "batch",
                reason: "the store works with cache_size_kib 64000; expected 2000",
                session: { base, _ in ForwardingSession(base) }, changing: { $0.cacheSizeKiB = 64_000 }),
        ]
    }

    /// Drivers that report the right settings and work with others.
    private static let unsynced: [WritingCheat] = [SQLiteDriver() as any StoreDriver, ManagedDriver()].map { base in
        WritingCheat(
            "does not sync and reports that it does (\(base.name))", over: base, in: .cheats, phase: "checkpoint",
            reason: "the store synced nothing and wrote", session: { base, _ in Unsynced(base) },
            changing: { $0.synchronous = .off })
    }

    /// Drivers that keep updates in memory, over the file.
    static let overlaid = ["chunked", "batch"].map { phase in
        WritingCheat(
            "keeps a \(phase) update in memory", in: .cheats, phase: phase,
            reason: "the store does not hold the expected values"
        ) { base, configuration in Overlaying(base, configuration.entity) }
    }
}

extension Scenario {
    private static let numbered = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(
                name: "number", type: .int64, generator: .sequence(prefix: "", start: 0, step: 1), isUnique: true),
            AttributeSpec(name: "name", type: .string, generator: .sequence(prefix: "Item ", start: 0, step: 1)),
            AttributeSpec(name: "done", type: .bool, generator: .uniform(min: 0, max: 0.5)),
        ])
    static let toggle = [AttributeChange(attribute: "done", operation: .toggle)]

    /// One phase of each kind that writes, except loads.
    static let cheats = Scenario(
        name: "cheats", records: 200, isolation: .none, entity: numbered,
        phases: [
            Phase(name: "seed", from: .empty, work: .seed(SeedWork(saveEvery: 100))),
            Phase(
                name: "per-object", from: .seeded, work: .update(UpdateWork(mode: .perObject, set: toggle))),
            Phase(
                name: "chunked", from: .seeded,
                work: .update(UpdateWork(mode: .chunked, set: toggle, chunkSize: 50))),
            Phase(name: "batch", from: .seeded, work: .update(UpdateWork(mode: .batch, set: toggle))),
            Phase(name: "checkpoint", from: .previous, work: .checkpoint),
            Phase(
                name: "merge", from: .seeded,
                work: .merge(
                    MergeWork(
                        writers: 2, savesPerWriter: 3, insertsPerSave: 2, changesPerSave: 2, deletesPerSave: 1,
                        set: toggle))),
        ])

    /// Updates of scattered records, which draw a value for each.
    static let uncoalesced: Scenario = {
        let draw = AttributeDraw(type: .string, generator: .randomLengths(min: 2, max: 40), seed: 3)
        let set = [AttributeChange(attribute: "name", operation: .draw(draw))]
        let filter = FilterSpec.compare(key: "done", .equal, .bool(false))
        return Scenario(
            name: "uncoalesced", records: 200, isolation: .none, entity: numbered,
            phases: [
                Phase(
                    name: "drawn", from: .seeded,
                    work: .update(UpdateWork(mode: .perObject, set: set, filter: filter))),
                Phase(
                    name: "drawn-chunked", from: .seeded,
                    work: .update(UpdateWork(mode: .chunked, set: set, filter: filter, chunkSize: 50))),
            ])
    }()

    /// Updates, one after another, that give records the values that they have.
    static let unchanging: Scenario = {
        let done = [AttributeChange(attribute: "done", operation: .assign(.bool(true)))]
        let works = [
            UpdateWork(mode: .perObject, set: done), UpdateWork(mode: .chunked, set: done, chunkSize: 50),
            UpdateWork(mode: .batch, set: done), UpdateWork(mode: .perObject, set: toggle),
            UpdateWork(mode: .perObject, set: done, filter: .compare(key: "number", .less, .int64(20))),
        ]
        return Scenario(
            name: "unchanging", records: 200, isolation: .none, entity: numbered,
            phases: [Phase(name: "seed", from: .empty, work: .seed(SeedWork()))]
                + works.enumerated().map { Phase(name: "update-\($0)", from: .previous, work: .update($1)) })
    }()

    /// A load whose saves a context merges.
    static func watched(_ mode: SaveSpec.Mode) -> Scenario {
        let saves = SaveSpec(mode: mode, insertsPerSave: 1, changesPerSave: 2, deletesPerSave: 0, set: toggle)
        let work = LoadWork(source: .saves(saves), workers: 2, pace: PaceSpec(operations: 20))
        return Scenario(
            name: "watched", records: 200, isolation: .none, entity: numbered,
            phases: [Phase(name: "load", from: .seeded, work: .load(work))])
    }
}
