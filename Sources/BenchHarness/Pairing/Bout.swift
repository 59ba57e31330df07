/// What two sides take turns at: phases that go on from one another.
struct Bout: Sendable {
    /// The driver of each side.
    let contest: PairedRequest.Contest
    /// The phases, by their indices.
    let phases: Range<Int>
    /// Those of them that are looked at; the others lead to these.
    let judged: [Int]
    /// At so many records that a turn takes some milliseconds.
    var scenario: Scenario

    func key(_ index: Int) -> ComparisonKey {
        let phase = scenario.phases[index]
        return ComparisonKey(scenario: scenario.name, driver: contest.name, phase: phase.name, mode: phase.mode)
    }
}
