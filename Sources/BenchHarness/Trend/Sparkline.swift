/// A series as one line of block characters (Tufte, "Beautiful Evidence", 2006): the lowest block is the lowest value,
/// the highest block the highest value.
struct Sparkline {
    /// The line; a missing value is a gap.
    let text: String

    private static let blocks = Array("▁▂▃▄▅▆▇█")

    /// Draws the newest values, `width` at most; a leading ellipsis marks that older ones are left out.
    init(_ values: [Double?], width: Int = 60) {
        let shown = values.suffix(width)
        let present = shown.compactMap { $0 }
        let (low, high) = (present.min() ?? 0, present.max() ?? 0)
        let line = shown.map { value in value.map { Self.block($0, low, high) } ?? " " }
        text = (values.count > width ? "…" : "") + String(line)
    }

    private static func block(_ value: Double, _ low: Double, _ high: Double) -> Character {
        guard high > low else { return blocks[blocks.count / 2 - 1] }
        let place = (value - low) / (high - low) * Double(blocks.count - 1)
        return blocks[Int(place.rounded())]
    }
}
