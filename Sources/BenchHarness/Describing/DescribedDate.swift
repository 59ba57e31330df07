import Foundation

/// A date as scenarios write it.
enum DescribedDate {
    /// The years 1600 to 9999, in seconds since 2001-01-01 UTC: calendars agree on them.
    static let range = -12_654_403_200.0...252_423_993_599.0

    /// Returns `2024-02-29T12:30:00Z` for whole seconds since 2001-01-01 UTC.
    static func text(_ seconds: Double) -> String {
        Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
    }
}
