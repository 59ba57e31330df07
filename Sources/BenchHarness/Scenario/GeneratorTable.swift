/// What some generators draw from, made once for all records.
struct GeneratorTable: Sendable {
    /// The words of the generator, if it makes words.
    let vocabulary: Vocabulary?
    private let values: [FieldValue]
    private let ranks: WeightedRanks

    /// Creates the table of a generator; nil if it needs none.
    init?(_ generator: Generator, seed: UInt64) {
        switch generator {
        case .choice(let values, let weights):
            self.values = values
            ranks = WeightedRanks(weights ?? values.map { _ in 1 })
            vocabulary = nil
        case .words(_, _, let count):
            let vocabulary = Vocabulary(count: count, seed: seed)
            (self.vocabulary, values, ranks) = (vocabulary, [], vocabulary.ranks)
        default: return nil
        }
    }

    /// Draws one of the values.
    func choice(_ bits: inout SplitMix64) -> FieldValue { values[ranks.next(&bits)] }
}
