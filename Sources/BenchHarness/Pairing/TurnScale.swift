import Foundation

/// Finds the size at which a turn is long enough to be timed, and so short that the machine is the same for both sides.
///
/// The size is the number of records of the store. If all phases can be cut to a number of operations, it is that
/// number; the store then keeps many records, since their number changes what an operation costs.
struct TurnScale {
    /// What a turn at the longest phase is to take, in nanoseconds of CPU time. Threads meet in another way in each
    /// turn, which a longer one evens out.
    var target: Double {
        phases.contains { scenario.phases[$0].work.content.usesSeveralCores } ? 20_000_000 : 12_000_000
    }
    /// The most records of a store whose phases are cut to operations: it is copied before each turn.
    static let recordsOfCutPhases = 10_000
    private static let fewestRecords = 100
    private static let fewestOperations = 10
    private static let firstSize = 2_000
    private static let attempts = 4

    private let scenario: Scenario
    private let phases: Range<Int>
    /// Whether the number of records stays as it is.
    private let keepsRecords: Bool
    private let areAllCut: Bool

    /// Prepares to fit the phases of `scenario` with these indices.
    init(_ scenario: Scenario, phases: Range<Int>, keepsRecords: Bool = false) {
        self.scenario = scenario
        self.phases = phases
        self.keepsRecords = keepsRecords
        areAllCut = phases.allSatisfy { scenario.phases[$0].work.content.cut(to: 1) != nil }
    }

    /// The scenario at the size that it takes, at most its own. `time` does the phases at a scenario and says how long
    /// the longest took.
    func fit(_ time: (Scenario) throws -> Double) rethrows -> Scenario {
        if keepsRecords, !areAllCut { return sized(scenario.records).scenario }
        let fewest = areAllCut ? Self.fewestOperations : Self.fewestRecords
        var fitted = sized(Self.firstSize)
        for _ in 0..<Self.attempts {
            let factor = target / max(try time(fitted.scenario), 1)
            if (0.75...1.33).contains(factor) { break }
            let next = sized(max(Int(Double(fitted.size) * min(factor, 30)), fewest))
            if next.size == fitted.size { break }
            fitted = next
        }
        return fitted.scenario
    }

    /// Returns the scenario at a size, and the size that it then has: it is never made larger.
    private func sized(_ size: Int) -> (scenario: Scenario, size: Int) {
        var sized = scaled(to: records(at: size))
        var operations = 0
        for index in phases {
            guard let count = sized.phases[index].cut(to: size) else { continue }
            operations = max(operations, count)
        }
        return (sized, areAllCut ? operations : sized.records)
    }

    private func records(at size: Int) -> Int {
        if keepsRecords { return scenario.records }
        return areAllCut ? Self.recordsOfCutPhases : size
    }

    private func scaled(to records: Int) -> Scenario {
        guard records < scenario.records else { return scenario }
        return scenario.scaled(by: Double(records) / Double(scenario.records))
    }
}
