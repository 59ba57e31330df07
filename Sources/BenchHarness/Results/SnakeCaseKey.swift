/// A key of a JSON file in snake case, and the property that it is of. Foundation's conversion would make `ki_b` of the
/// unit KiB; files that have it are read as well.
struct SnakeCaseKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    private static let unit = (property: "KiB", word: "Kib")

    init(_ text: String) { stringValue = text }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { nil }

    /// The key of a property.
    init(of property: String) {
        let letters = Array(property.replacing(Self.unit.property, with: Self.unit.word))
        var key = ""
        for (index, letter) in letters.enumerated() {
            let endsCapitals = index + 1 < letters.count && letters[index + 1].isLowercase
            if index > 0, letter.isUppercase, !letters[index - 1].isUppercase || endsCapitals { key += "_" }
            key += letter.lowercased()
        }
        self.init(key)
    }

    /// The property of a key.
    init(camelCaseOf key: String) {
        // An associated value without a name is `_0`.
        if key.hasPrefix("_") {
            self.init(key)
            return
        }
        let words = key.split(separator: "_")
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let property = (words.prefix(1).map(String.init) + rest).joined()
        self.init(property.replacing(Self.unit.word, with: Self.unit.property))
    }
}
