/// What a process that takes turns is to do: phases of a scenario that go on from one another, with one driver, again
/// and again, whenever it is asked.
struct TurnJob: Sendable, Codable {
    /// The version of the messages, which both programs must know.
    static let version = 3

    var version = Self.version
    /// The phases, and the folder of the store.
    var job: RepetitionJob
    /// For the manifest.
    var commandLine: [String]
    /// Whether the answer is to say what the process is; nil means yes.
    var wantsManifest: Bool?
}

/// What the process is asked for.
enum TurnRequest: Sendable, Codable {
    /// To do all phases once, with every measurement and verification of a run.
    case rehearse
    /// To put the store into the state that the first phase starts from.
    case restore
    /// To do a phase, whose operations `seed` chooses if there is a choice, and to hold still afterwards.
    case turn(phase: Int, seed: UInt64, verifies: Bool)
    /// To close the store and end.
    case end
}

/// What the process answers.
enum TurnReply: Sendable, Codable {
    /// That it can do what it was told to, and what it is, if that was wanted.
    case ready(Manifest?)
    case rehearsed([PhaseReport])
    case restored
    case turn(Turn)
    /// What kept it from doing what it was asked for.
    case failed(String)
}

/// What one turn at a phase took.
struct Turn: Sendable, Equatable, Codable {
    /// CPU time within the clock, in nanoseconds.
    var cpu: Int
    /// The time by the clock, in nanoseconds.
    var duration: Int
    /// CPU time of the server's processes within the clock, in nanoseconds; nil if none is seen.
    var server: Int?
    /// CPU time after the clock stopped, until the process held still, in nanoseconds.
    var release: Int
    /// Operations, for works that do not always do the same number of them.
    var operations: Int
    /// What was wrong with the outcome, where it was looked at.
    var problems: [String] = []
    /// The response times of a load; nil for other phases.
    var responses: Responses?

    /// Percentiles of the response times of a turn's operations, in nanoseconds; nil where operations without an answer
    /// leave one without a bound.
    struct Responses: Sendable, Equatable, Codable {
        var p50: Int?
        var p99: Int?
    }
}
