/// What a process that is going to be tortured is asked to do: a load, until it is killed or its time is over.
struct TortureJob: Sendable, Equatable, Codable {
    /// The scenario, scaled already.
    var scenario: Scenario
    /// The index of the phase whose load it does.
    var phase: Int
    /// The driver's name.
    var driver: String
    /// Unlike that of any other process that works on the store.
    var lane: Int
    /// How long it works.
    var seconds: Double
    /// The folder of the store.
    var store: String
    /// The folder of the journals.
    var journals: String
    /// The process that asks.
    var parent: Int32
    /// Whether it changes related records, of which the scenario says how many there are, rather than do a phase's
    /// load.
    var isRelated = false

    /// The file in which a worker writes down what it does.
    func journal(of worker: Int) -> String { "\(journals)/\(lane)-\(worker).log" }

    /// How many workers it has, each with a journal.
    var workers: Int { isRelated ? RelatedPlan.workers : work?.workers ?? 0 }

    /// The load, which nothing but the time ends. Nil when the phase is none.
    var work: LoadWork? {
        guard scenario.phases.indices.contains(phase), case .load(var work) = scenario.phases[phase].work else {
            return nil
        }
        work.pace.operations = nil
        work.pace.durationSeconds = seconds
        (work.limits, work.abortsEarly) = ([:], false)
        return work
    }
}

/// What such a process tells its parent. What it did stands in its journals.
enum TortureEvent: Sendable, Equatable, Codable {
    /// It is about to open the store.
    case opening
    /// The first of its writes was acknowledged.
    case acknowledged
    /// Something went wrong that is no operation's fault.
    case problem(String)
}
