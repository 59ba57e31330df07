import BenchHarness

/// Phases of a scenario whose instructions a process under callgrind is to count.
struct InstructionJob: Sendable, Codable {
    /// The version of the messages, which both programs must know.
    static let version = 2

    var version = Self.version
    /// The phases, and the folder of the store.
    var job: RepetitionJob
}
