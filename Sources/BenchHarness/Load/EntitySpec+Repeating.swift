extension EntitySpec {
    /// The positions of the attributes of which two changes may draw the same value.
    var repeatingAttributes: Set<Int> { Set(attributes.indices.filter { attributes[$0].repeats }) }
}

extension AttributeSpec {
    /// With at least this many values, two changes draw the same one so rarely that no load comes across it.
    private static let many = 0x1p40

    /// Whether two changes may draw the same value.
    fileprivate var repeats: Bool {
        switch (generator, type) {
        case (.uniform, .bool): true
        case (.uniform(let min, let max), .int64): max - min < Self.many
        case (.uniform(let min, let max), _): max - min < Swift.max(min.magnitude, max.magnitude).ulp * Self.many
        // 26 letters: eight of them have fewer than 2^38 values, nine have more than 2^42.
        case (.random(let length), .string), (.randomLengths(let length, _), .string): length <= 8
        case (.random(let length), _), (.randomLengths(let length, _), _): length <= 4
        case (.constant, _), (.sequence, _), (.owner, _): false
        }
    }
}
