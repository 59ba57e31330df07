import Foundation

/// Reads points in time as in scenarios: `2024-02-29T12:30:00Z`, with a fraction of a second if needed.
///
/// A parser of its own, because Foundation's parsers accept what a benchmark's definition should not: a month 13, text
/// after the end.
enum TimestampReader {
    /// Returns seconds since 2001-01-01 UTC, or nil if `text` is not such a timestamp.
    static func seconds(_ text: String) -> Double? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 30, bytes.last == UInt8(ascii: "Z") else { return nil }
        for (place, mark) in zip([4, 7, 10, 13, 16], "--T::".utf8) where bytes[place] != mark { return nil }
        guard let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            let fraction = fraction(bytes[19..<(bytes.count - 1)]),
            year >= 1, (1...12).contains(month), day >= 1, day <= days(in: month, of: year),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let days = daysFromEpoch(year, month, day) - daysFromEpoch(2001, 1, 1)
        return Double(((days * 24 + hour) * 60 + minute) * 60 + second) + fraction
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Reads a fraction: no text is 0; otherwise it is a point and digits.
    private static func fraction(_ bytes: ArraySlice<UInt8>) -> Double? {
        guard let point = bytes.first else { return 0 }
        let digits = bytes.dropFirst()
        guard point == UInt8(ascii: "."), !digits.isEmpty, let value = number(digits) else { return nil }
        return Double(value) / pow(10, Double(digits.count))
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns days since 1970-01-01 in the proleptic Gregorian calendar, for years from 1 (Hinnant, "chrono-compatible
    /// low-level date algorithms", `days_from_civil`): years begin in March, so that the leap day comes last.
    private static func daysFromEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
