/// The failure of a driver in a check.
public struct ConformanceFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name of the check.
    public let check: String
    /// The name of the driver.
    public let driver: String
    /// The steps of the check, in order; the driver failed at the last one.
    public let steps: [String]
    /// What was found and what was expected, or the error that the driver threw.
    public let problem: String

    /// The driver, the check, the problem, and the steps that led to it.
    public var description: String {
        let list = steps.enumerated().map { "  \($0.offset + 1). \($0.element)" }.joined(separator: "\n")
        return "\(driver) fails the check \"\(check)\" at step \(steps.count): \(problem)\n\(list)"
    }
}
