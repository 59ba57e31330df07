/// The attribute that identifies records, and the mapping from its values to records.
public struct RecordIdentity: Sendable {
    /// The attribute's position.
    public let attribute: Int
    private let start: Double
    private let step: Double

    /// Finds the first unique attribute that counts up; nil if there is none.
    init?(_ entity: EntitySpec) {
        for (index, attribute) in entity.attributes.enumerated() where attribute.isUnique && attribute.type == .int64 {
            guard case .sequence(_, let start, let step) = attribute.generator, step != 0 else { continue }
            self.attribute = index
            (self.start, self.step) = (start, step)
            return
        }
        return nil
    }

    /// Finds the first unique attribute that counts up.
    ///
    /// - Throws: `RunError` for an entity without one: a load cannot tell its records apart.
    public init(of entity: EntitySpec) throws(RunError) {
        guard let identity = Self(entity) else {
            throw RunError(
                .phase,
                "\(entity.name) has no unique int64 sequence, which a load needs; add an int64 attribute with "
                    + "\"unique\": true and the generator sequence")
        }
        self = identity
    }

    /// Whether later records have larger keys.
    var isAscending: Bool { step > 0 }

    /// Returns the key of the record with an ordinal.
    public func key(of ordinal: Int) -> Int64 { Int64(value(ordinal)) }

    /// Returns the record with these values; nil if the generator makes no such key. A damaged store may hold any key.
    public func ordinal(of values: [FieldValue]) -> Int? {
        guard case .int64(let key) = values[attribute],
            let ordinal = Int(exactly: ((Double(key) - start) / step).rounded()), ordinal >= 0
        else { return nil }
        return Int64(exactly: value(ordinal)) == key ? ordinal : nil
    }

    private func value(_ ordinal: Int) -> Double { start + step * Double(ordinal) }
}
