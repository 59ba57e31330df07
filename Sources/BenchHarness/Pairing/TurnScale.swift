import Foundation

/// Finds the number of records at which a turn is long enough to be timed, and so short that the machine is the same
/// for both sides.
struct TurnScale {
    /// What a turn at the longest phase is to take, in nanoseconds of CPU time.
    static let target = 12_000_000.0
    private static let fewestRecords = 100
    private static let attempts = 4

    /// The scenario of `bout` with as many records as it takes, at most its own. `time` does the phases at a scenario
    /// and says how long the longest took.
    static func fit(_ scenario: Scenario, _ time: (Scenario) throws -> Double) rethrows -> Scenario {
        var fitted = scaled(scenario, to: 2_000)
        for _ in 0..<attempts {
            let factor = target / max(try time(fitted), 1)
            if (0.75...1.33).contains(factor) { break }
            let records = Int(Double(fitted.records) * min(factor, 30))
            let next = scaled(scenario, to: max(records, fewestRecords))
            if next.records == fitted.records { break }
            fitted = next
        }
        return fitted
    }

    private static func scaled(_ scenario: Scenario, to records: Int) -> Scenario {
        guard records < scenario.records else { return scenario }
        return scenario.scaled(by: Double(records) / Double(scenario.records))
    }
}
