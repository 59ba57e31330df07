/// What tells phases apart, whichever driver ran them; results of several runs are joined by it.
struct PhaseKey: Sendable, Hashable {
    var scenario: String
    var phase: String
    var mode: String

    init(_ row: ResultRow) {
        (scenario, phase, mode) = (row.scenario, row.phase, row.mode)
    }

    init(_ key: ComparisonKey) {
        (scenario, phase, mode) = (key.scenario, key.phase, key.mode)
    }
}
