import BenchHarness
import BenchInstrument
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
        if let work = phase.work.as(FetchWork.self) {
            if work.filter != nil || !work.sort.isEmpty || work.limit > 0 {
                return "it finds every record, in no order"
            }
            if work.cancelAfterRecords != nil { return "there is nothing to cancel" }
        }
        return phase.work.as(UpdateWork.self)?.filter == nil ? nil : "it changes every record"
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
