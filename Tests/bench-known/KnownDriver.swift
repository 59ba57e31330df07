import BenchHarness
import Foundation

/// A store that does its phases by doing something known, and outside the clock makes up what a store would hold: every
/// answer is right, and none costs time.
struct KnownDriver: StoreDriver {
    let name: String
    let summary: String
    let activity: KnownActivity

    static let all = [
        KnownDriver(name: KnownWork.nothing, summary: "Does nothing", activity: .nothing),
        KnownDriver(name: KnownWork.waits, summary: "Waits for a known time", activity: .waits),
        KnownDriver(name: KnownWork.allocates, summary: "Uses a known amount of memory", activity: .allocates),
    ]

    func unsupportedReason(for phase: Phase, in schema: Schema) -> String? {
        switch phase.work {
        case .fetch(let work) where work.filter != nil || !work.sort.isEmpty || work.limit > 0:
            "it finds every record, in no order"
        case .fetch(let work) where work.cancelAfterRecords != nil: "there is nothing to cancel"
        case .update(let work) where work.filter != nil: "it changes every record"
        default: nil
        }
    }

    var operations: [StoreOperation] {
        [
            StoreOperation(
                "act", "does once what the driver is known for", on: KnownSession.self, effect: .reads,
                run: { session, _ in session.activity.each() }, verify: { _, _ in [] })
        ]
    }

    var sessionType: any StoreSession.Type { KnownSession.self }

    func open(_ configuration: StoreConfiguration) throws -> any StoreSession {
        try KnownSession(configuration, activity)
    }
}
