import Foundation

extension EntitySpec {
    /// The positions of the attributes of which two changes may draw the same value.
    var repeatingAttributes: Set<Int> { Set(attributes.indices.filter { attributes[$0].repeats }) }
}

extension AttributeSpec {
    /// With at least this many values, two changes draw the same one so rarely that no load comes across it.
    private static let many = 0x1p40

    /// Whether two changes may draw the same value.
    fileprivate var repeats: Bool {
        // No change is about the attributes of another kind, which are null.
        if hasNullsOfItsOwn, generator != .constant(.null) { return true }
        return switch (generator, type) {
        case (.uniform, .bool): true
        case (.uniform(let min, let max), .int64): max - min < Self.many
        case (.uniform(let min, let max), _): max - min < Swift.max(min.magnitude, max.magnitude).ulp * Self.many
        // 26 letters: eight of them have fewer than 2^38 values, nine have more than 2^42.
        case (.random(let length), .string), (.randomLengths(let length, _), .string): length <= 8
        case (.random(let length), _), (.randomLengths(let length, _), _): length <= 4
        case (.words(let count, _, let vocabulary), _):
            Double(count) * -log2(Self.chanceOfEqualWords(vocabulary)) < log2(Self.many)
        case (.choice, _), (.owner, _), (.earlier, _): true
        case (.constant, _), (.sequence, _), (.ascending, _): false
        }
    }

    /// The probability that two words are the same: the sum of the squares of `1 / (rank * H)`, where `H` is the sum of
    /// `1 / rank`.
    private static func chanceOfEqualWords(_ vocabulary: Int) -> Double {
        let weights = (1...vocabulary).map { 1 / Double($0) }
        let all = weights.reduce(0, +)
        return weights.reduce(0) { $0 + ($1 / all) * ($1 / all) }
    }
}
