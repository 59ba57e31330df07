/// The key that joins the rows of two runs.
struct ComparisonKey: Sendable, Hashable, Codable {
    var scenario: String
    var driver: String
    var phase: String
    var mode: String

    init(scenario: String, driver: String, phase: String, mode: String) {
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

    init(_ row: ResultRow) {
        scenario = row.scenario
        driver = row.driver
        phase = row.phase
        mode = row.mode
    }
}
