/// The key that joins the rows of two runs.
struct ComparisonKey: Sendable, Hashable, Codable {
    var scenario: String
    var driver: String
    var phase: String
    var mode: String

    /// Creates the same key for another driver.
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
