import Foundation

/// A regular expression that must match whole strings, as in Core Data's `MATCHES`.
///
/// Some expressions, such as `(a+)+b`, backtrack so often that a match practically never ends. The number of steps of a
/// match is therefore limited. A limit on steps rather than on time gives the same result on every machine.
struct StringPattern: Sendable {
    private let expression: NSRegularExpression

    enum Outcome {
        case matches
        case differs
        /// The match was cancelled because it took too many steps or too much memory.
        case isTooCostly
    }

    /// The number of steps between two of ICU's reports: `TIMER_INITIAL_VALUE` in its `rematch.cpp`. They take about
    /// 150 microseconds.
    private static let stepsPerReport = 10_000
    private static let steps = 1_000_000
    /// More than any expression without excessive backtracking needs.
    private static let stepsPerUnit = 100

    /// Nil for a string that is not a regular expression.
    init?(_ pattern: String, options: NSRegularExpression.Options = []) {
        // Compiled alone first: within the group, an unbalanced parenthesis might find a partner.
        guard (try? NSRegularExpression(pattern: pattern)) != nil,
            let whole = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: options)
        else { return nil }
        expression = whole
    }

    func match(_ text: String) -> Outcome {
        let length = text.utf16.count
        var reportsLeft = (Self.steps + Self.stepsPerUnit * length) / Self.stepsPerReport
        var outcome = Outcome.differs
        expression.enumerateMatches(
            in: text, options: [.reportProgress, .reportCompletion], range: NSRange(location: 0, length: length)
        ) { result, flags, stop in
            if result != nil {
                outcome = .matches
                stop.pointee = true
            } else if flags.contains(.internalError) {
                outcome = .isTooCostly
            } else if flags.contains(.progress) {
                reportsLeft -= 1
                guard reportsLeft < 0 else { return }
                outcome = .isTooCostly
                stop.pointee = true
            }
        }
        return outcome
    }
}

extension StoreError {
    static func tooCostly(_ pattern: String) -> StoreError {
        StoreError(
            .invalidRequest,
            "the regular expression \(pattern) takes too many steps, or too much memory, on a string; write it "
                + "without repetitions within repetitions")
    }
}
