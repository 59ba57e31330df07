/// What rows of two runs are joined by.
struct ComparisonKey: Sendable, Hashable, Codable {
    var scenario: String
    var driver: String
    var phase: String
    var mode: String

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
