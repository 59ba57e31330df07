/// The values of the records that a relationship leads to, by which filters and orders look through it.
public struct TargetValues: Sendable {
    /// The number of records that there are or were.
    let count: Int
    /// Returns the value of the attribute at a position in the record with an ordinal; null for a deleted one.
    let value: @Sendable (_ attribute: Int, _ ordinal: Int) -> FieldValue

    /// Creates values.
    ///
    /// - Parameters:
    ///   - count: The number of records that there are or were: no number of one is larger.
    ///   - value: Returns the value of the attribute at a position in the record with an ordinal; null for a deleted
    ///     one.
    public init(
        count: Int, value: @escaping @Sendable (_ attribute: Int, _ ordinal: Int) -> FieldValue = { _, _ in .null }
    ) {
        (self.count, self.value) = (count, value)
    }

    /// Takes the values that `records` makes, for the relationship at a place in ``EntitySpec/toOnes``.
    init(_ records: RecordGenerator, of entity: EntitySpec, at place: Int) {
        let toOnes = entity.toOnes
        self.init(count: place < toOnes.count ? toOnes[place].records : 0) { records.value($0, $1) }
    }
}

extension RecordGenerator {
    /// The values of the related records as they are in a seeded store.
    var targetValues: [TargetValues] {
        targets.enumerated().map { TargetValues($1, of: entity, at: $0) }
    }
}
