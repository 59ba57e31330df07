/// The values of records before a load, or at their insertion: those of the generator, except for the planted ones.
struct InitialRecords: Sendable {
    let generator: RecordGenerator
    /// The values in place of the generator's, by the position of the attribute, by the ordinal.
    var planted: [Int: [Int: FieldValue]] = [:]

    var entity: EntitySpec { generator.entity }

    /// Returns the value of an attribute before any change.
    func value(_ attribute: Int, _ ordinal: Int) -> FieldValue {
        planted[ordinal]?[attribute] ?? generator.value(attribute, ordinal)
    }

    /// Returns the value of an attribute after a revision; nil is the value before any change.
    func value(_ attribute: Int, _ ordinal: Int, revision: UInt64?) -> FieldValue {
        revision.map { generator.value(attribute, ordinal, revision: $0) } ?? value(attribute, ordinal)
    }
}
