/// The key of a phase, independent of the driver; it joins the results of several runs.
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
