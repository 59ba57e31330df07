/// The key of a phase, independent of the driver; it joins the results of several runs.
package struct PhaseKey: Sendable, Hashable {
    package var scenario: String
    package var phase: String
    package var mode: String

    package init(_ row: ResultRow) {
        (scenario, phase, mode) = (row.scenario, row.phase, row.mode)
    }

    package init(_ key: ComparisonKey) {
        (scenario, phase, mode) = (key.scenario, key.phase, key.mode)
    }
}
