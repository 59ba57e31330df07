/// The key that joins the rows of two runs.
package struct ComparisonKey: Sendable, Hashable, Codable {
    package var scenario: String
    package var driver: String
    package var phase: String
    package var mode: String

    package init(scenario: String, driver: String, phase: String, mode: String) {
        self.scenario = scenario
        self.driver = driver
        self.phase = phase
        self.mode = mode
    }

    /// The same of another driver.
    init(_ key: ComparisonKey, driver: String) {
        self = key
        self.driver = driver
    }

    /// The same phase in turns on one core.
    var onOneCore: ComparisonKey {
        var key = self
        key.phase = SizedName(phase).onOneCore.description
        return key
    }

    /// The same phase on all cores.
    var onAllCores: ComparisonKey {
        var key = self
        key.phase = SizedName(onAllCores: phase).description
        return key
    }

    init(_ row: ResultRow) {
        scenario = row.scenario
        driver = row.driver
        phase = row.phase
        mode = row.mode
    }
}
