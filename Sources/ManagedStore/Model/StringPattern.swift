import Foundation

/// A regular expression that whole strings are matched with, as Core Data's `MATCHES` does.
///
/// Some expressions go back over a string more often than it has letters, without end for all practical purposes:
/// `(a+)+b`. So the steps of a match are limited; they are counted, so that the outcome is the same on every machine.
struct StringPattern: Sendable {
    private let expression: NSRegularExpression

    enum Outcome {
        case matches
        case differs
        /// The match was given up: it takes too many steps, or too much memory.
        case isTooCostly
    }

    /// After so many steps ICU reports once: `TIMER_INITIAL_VALUE` in its `rematch.cpp`. Some 150 microseconds.
    private static let stepsPerReport = 10_000
    private static let steps = 1_000_000
    /// More than any expression needs that does not go back further and further.
    private static let stepsPerUnit = 100

    /// Nil for what is no regular expression.
    init?(_ pattern: String, options: NSRegularExpression.Options = []) {
        // By itself first: within the group, an unbalanced parenthesis might find a partner.
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
            "the regular expression \(pattern) takes too many steps, or too much memory, to be matched with a string; write it "
                + "without repetitions within repetitions")
    }
}
