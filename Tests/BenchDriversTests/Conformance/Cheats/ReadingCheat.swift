import BenchDrivers
import BenchHarness
import ForwardingDriver
import Locking

/// A driver that takes a shortcut with what it reads, and the reason for which the harness must fail it.
struct ReadingCheat: StoreDriver {
    let name: String
    let summary = "for tests"
    /// The scenario in which it cheats.
    let scenario: Scenario
    /// The phase that must fail.
    let phase: String
    /// What the failure must say.
    let reason: String
    private let session: @Sendable (any StoreSession, StoreConfiguration) -> any StoreSession

    init(
        _ name: String, in scenario: Scenario = .fetches, phase: String, reason: String,
        session: @escaping @Sendable (any StoreSession, StoreConfiguration) -> any StoreSession
    ) {
        self.name = name
        self.scenario = scenario
        self.phase = phase
        self.reason = reason
        self.session = session
    }

    var sessionType: any StoreSession.Type { ForwardingSession.self }

    /// Whether the harness gives some records values that the driver has not seen.
    var isPlanted = true

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        session(try SQLiteDriver().open(configuration), configuration)
    }

    func planter(of configuration: StoreConfiguration) -> (any StorePlanter)? {
        isPlanted ? SQLiteDriver().planter(of: configuration) : nil
    }
}

extension ReadingCheat {
    static let all = late + wrong + cancelled

    private static let wrongValues = "differ from those expected, or hold other values"

    /// Only planted values catch it.
    static let answersFromTheGenerator = ReadingCheat(
        "answers from the generator", phase: "sync", reason: wrongValues
    ) { base, configuration in MakingUp(base, configuration, namesEach: true) }

    /// Only the CPU time that it does not take catches it.
    static let cancelsNothing = ReadingCheat(
        "reports progress and cancels nothing", in: .cancelled, phase: "cancelled", reason: " of CPU time to find 40000"
    ) { base, _ in Pretending(base, progress: 40_000) }

    /// Only values that are planted anew before each phase catch it.
    static var remembersAnEarlierPhase: ReadingCheat {
        let memory = Locked<[[FieldValue]]>([])
        return ReadingCheat("remembers an earlier phase", phase: "async", reason: wrongValues) { base, _ in
            Memorizing(base, in: memory)
        }
    }

    private static let unread = "the records read within the clock are not those handed over"

    /// Drivers that read after the clock has stopped.
    private static let late = [
        ReadingCheat("reads a result when it is verified", phase: "sync", reason: unread) { base, _ in
            Late(base, blank: .everything)
        },
        ReadingCheat("reads an asynchronous result when it is verified", phase: "async", reason: unread) { base, _ in
            Late(base, blank: .everything)
        },
        ReadingCheat("reads a part when it is verified", phase: "part", reason: unread) { base, _ in
            Late(base, blank: .everything)
        },
        ReadingCheat("reads what was merged when it is verified", phase: "merge", reason: unread) { base, _ in
            Late(base, blank: .everything)
        },
        ReadingCheat("reads every other record within the clock", phase: "sync", reason: unread) { base, _ in
            Late(base, blank: .oddRecords)
        },
        ReadingCheat("reads when the counters are read", phase: "sync", reason: unread) { base, _ in Background(base) },
        ReadingCheat(
            "fetches nothing if nothing is touched", phase: "untouched",
            reason: ", read within the clock, is not the one handed over"
        ) { base, _ in Late(base, blank: .everything) },
    ]

    /// Drivers that hand over other records.
    private static let wrong = [
        ReadingCheat("does not sort", phase: "async", reason: "of the result is out of order") { base, _ in
            Fetching(base) { $0.sort = [] }
        },
        ReadingCheat("makes values up", phase: "sync", reason: wrongValues) { base, configuration in
            MakingUp(base, configuration, namesEach: false)
        },
        answersFromTheGenerator,
        remembersAnEarlierPhase,
        ReadingCheat(
            "remembers the result of an earlier fetch", phase: "again", reason: wrongValues
        ) { base, _ in Remembering(base) },
    ]

    /// Drivers whose cancelled fetch was never under way.
    private static let cancelled = [
        cancelsNothing,
        ReadingCheat(
            "reports more records than there are", in: .cancelled, phase: "cancelled",
            reason: "the driver reported progress of 1000000 records; the fetch finds 60000"
        ) { base, _ in Pretending(base, progress: 1_000_000) },
        ReadingCheat(
            "hands over nothing to cancel with", in: .cancelled, phase: "cancelled",
            reason: "the fetch was not cancelled"
        ) { base, _ in Uncancellable(base) },
        ReadingCheat(
            "finds less after a cancellation", in: .cancelled, phase: "cancelled",
            reason: "the same fetch after the cancelled one: 100 records were fetched; expected 60000"
        ) { base, _ in Exhausted(base) },
    ]
}

extension Scenario {
    private static let item = EntitySpec(
        name: "Item",
        attributes: [
            AttributeSpec(name: "name", type: .string, generator: .sequence(prefix: "Item ", start: 0, step: 1)),
            AttributeSpec(name: "createdAt", type: .date, generator: .uniform(min: -1_000, max: 1_000)),
            AttributeSpec(name: "done", type: .bool, generator: .constant(.bool(false))),
        ])
    private static let sort = [SortSpec(key: "createdAt")]
    private static let done = [AttributeChange(attribute: "done", operation: .assign(.bool(true)))]

    /// One phase of each kind that hands records over, of more records than a slice.
    static let fetches = Scenario(
        name: "fetches", records: 6_000, isolation: .none, entity: item,
        phases: [
            Phase(name: "sync", from: .seeded, work: .fetch(FetchWork(mode: .sync, sort: sort))),
            Phase(name: "async", from: .seeded, work: .fetch(FetchWork(mode: .async, sort: sort))),
            Phase(name: "untouched", from: .seeded, work: .fetch(FetchWork(mode: .sync, touch: .none))),
            Phase(name: "part", from: .seeded, work: .fetch(FetchWork(mode: .sync, attributes: ["name"]))),
            Phase(
                name: "merge", from: .seeded,
                work: .merge(
                    MergeWork(
                        writers: 2, savesPerWriter: 3, insertsPerSave: 5, changesPerSave: 5, deletesPerSave: 5,
                        set: done))
            ),
            Phase(name: "changed", from: .seeded, work: .update(UpdateWork(mode: .batch, set: done))),
            Phase(name: "again", from: .previous, work: .fetch(FetchWork(mode: .sync, sort: sort))),
        ])

    /// A fetch that takes long enough to be judged by its CPU time.
    static let cancelled = Scenario(
        name: "cancelled", records: 60_000, isolation: .none, entity: item,
        phases: [
            Phase(
                name: "cancelled", from: .seeded,
                work: .fetch(FetchWork(mode: .async, sort: sort, cancelAfterRecords: 40_000)))
        ])
}
