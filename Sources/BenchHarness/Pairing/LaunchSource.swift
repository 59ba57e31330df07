/// What makes the launches of a run: it knows what takes turns, and how.
protocol LaunchSource {
    /// Returns what the sides take turns at, sized so that a turn is long enough to be timed.
    ///
    /// - Parameter deadline: The time of the clock at which the budget is spent.
    mutating func bouts(until deadline: Double) throws -> [Bout]

    /// Makes the next launches of a bout: several, where these can be kept apart.
    ///
    /// - Parameters:
    ///   - bout: One of ``bouts(until:)``.
    ///   - index: Its place among them.
    ///   - count: The number of launches that it has had.
    ///   - waits: Whether it is known to wait for storage or for others.
    ///   - deadline: The time of the clock after which no turn begins.
    mutating func launches(
        of bout: Bout, at index: Int, after count: Int, waits: Bool, until deadline: Double
    ) throws -> [Launch]

    /// Further facts that a reader of the verdicts needs.
    var notes: [String] { get }
}
