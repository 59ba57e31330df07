import Foundation

/// The format of figures for people: three or four digits and a unit.
public enum Figure {
    /// Returns a duration in nanoseconds as text.
    public static func duration(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1e3: String(format: "%.0f ns", nanoseconds)
        case ..<1e6: String(format: "%.1f µs", nanoseconds / 1e3)
        case ..<1e9: String(format: "%.1f ms", nanoseconds / 1e6)
        default: String(format: "%.2f s", nanoseconds / 1e9)
        }
    }

    /// Returns the ends of a range of durations in nanoseconds as text, to three digits.
    package static func range(_ low: Double, _ high: Double) -> String {
        let ends = [low, high].map { end in
            let parts = duration(end).split(separator: " ").map(String.init)
            let number = Double(parts[0]) ?? 0
            return (digits: number < 100 ? parts[0] : String(format: "%.0f", number), unit: parts[1])
        }
        let unit = ends[0].unit == ends[1].unit ? "" : " \(ends[0].unit)"
        return "\(ends[0].digits)\(unit) … \(ends[1].digits) \(ends[1].unit)"
    }

    /// Returns a number of bytes as text, in decimal megabytes.
    public static func bytes(_ bytes: Double) -> String {
        String(format: "%.1f MB", bytes / 1e6)
    }

    /// Returns a rough number of bytes as text.
    public static func size(_ bytes: Double) -> String {
        bytes < 1e9 ? String(format: "%.0f MB", (bytes / 1e6).rounded(.up)) : String(format: "%.1f GB", bytes / 1e9)
    }

    /// Returns operations per second as text.
    public static func rate(_ perSecond: Double) -> String {
        perSecond < 10 ? "\((perSecond * 10).rounded() / 10)/s" : "\(count(Int(flooring: perSecond)))/s"
    }

    /// Returns a ratio as text: with decimals, but a small one with two significant digits, which decimals would round
    /// to 0.
    public static func ratio(_ ratio: Double) -> String { self.ratio(ratio, decimals: 2, sign: "x") }

    /// Returns a ratio as text with another number of decimals, or another sign.
    package static func ratio(_ ratio: Double, decimals: Int, sign: String) -> String {
        let isSmall = ratio > 0 && ratio < 0.1
        return String(format: isSmall ? "%.2g" : "%.\(ratio < 100 ? decimals : 0)f", ratio) + sign
    }

    /// Returns a ratio of few repetitions as text: its order of magnitude, which more of them may change.
    public static func roughRatio(_ ratio: Double) -> String { roughRatio(ratio, sign: "x") }

    /// Returns the same with another sign.
    package static func roughRatio(_ ratio: Double, sign: String) -> String {
        String(format: "~%.4g", firstDigit(ratio)) + sign
    }

    /// Returns a number rounded to its first digit.
    static func firstDigit(_ value: Double) -> Double {
        guard value > 0, value.isFinite else { return value }
        let unit = pow(10, floor(log10(value)))
        return (value / unit).rounded() * unit
    }

    /// Returns a ratio as text: as a change in percent, with its sign.
    public static func change(_ ratio: Double) -> String {
        let tenths = ((ratio - 1) * 1_000).rounded()
        return tenths == 0 ? "0.0 %" : String(format: "%+.1f %%", tenths / 10)
    }

    /// Returns a ratio as a change in percent with two decimals, for what varies less than a time.
    package static func preciseChange(_ ratio: Double) -> String {
        let hundredths = ((ratio - 1) * 10_000).rounded()
        return hundredths == 0 ? "0.00 %" : String(format: "%+.2f %%", hundredths / 100)
    }

    /// Returns a share as text, in percent.
    public static func percent(_ share: Double) -> String {
        String(format: "%g %%", (share * 1_000).rounded() / 10)
    }

    /// Returns a probability as text, with two significant digits.
    public static func probability(_ p: Double) -> String {
        p < 0.0001 ? "< 0.0001" : String(format: p < 0.01 ? "%.4f" : "%.2f", p)
    }

    /// Returns a probability as text, with as many digits as show on which side of a limit it lies.
    package static func probability(_ p: Double, against limit: Double) -> String {
        let texts = [probability(p)] + (3...9).map { String(format: "%.\($0)f", p) }
        return texts.first { ((Double($0) ?? p) < limit) == (p < limit) } ?? "< \(limit)"
    }

    /// Returns a count as text, with commas between thousands.
    public static func count(_ count: Int) -> String {
        var digits = String(count.magnitude)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (count < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
    }

    /// Returns a count with its noun: `1 row`, `2 rows`.
    public static func count(_ count: Int, _ noun: String) -> String {
        "\(Self.count(count)) \(noun)\(count == 1 ? "" : "s")"
    }

    /// Returns whole minutes and seconds as text.
    public static func clock(_ nanoseconds: Int) -> String {
        let seconds = nanoseconds / 1_000_000_000
        return String(format: "%d:%02d", seconds / 60, seconds % 60)
    }
}
