import Foundation

/// Attributes whose combined values must be unique among the objects of an entity and of those that inherit from it.
///
/// An object without one of the values is exempt.
struct UniquenessConstraint: Sendable {
    /// The name of the entity that declares the constraint.
    let entityName: String
    let attributes: [String]
    /// The positions of the attributes in the entity.
    let positions: [Int]
    let fields: [RowField]

    /// Nil for a constraint that a model rejects, on attributes that the entity does not have.
    init?(_ attributes: [String], entityName: String, positions known: [String: Int], layout: RowLayout) {
        let positions = attributes.compactMap { known[$0] }
        guard positions.count == attributes.count, !positions.isEmpty else { return nil }
        self.entityName = entityName
        self.attributes = attributes
        self.positions = positions
        fields = positions.map { layout.fields[$0] }
    }

    /// Returns a row's values under the constraint; nil if one is missing.
    func key(of row: RowReference) -> ConstraintKey? {
        var bytes: [UInt8] = []
        for field in fields {
            if field.isNull(in: row.row) { return nil }
            ConstraintKey.append(row, field, to: &bytes)
        }
        return ConstraintKey(bytes: bytes)
    }

    /// Returns the values of a row by attribute.
    func values(of row: RowReference) -> [String: StoredValue] {
        Dictionary(zip(attributes, fields).map { ($0, row.value($1)) }, uniquingKeysWith: { first, _ in first })
    }
}

/// The values of a row under a constraint. Two keys are equal if SQLite's index treats the values as equal.
struct ConstraintKey: Hashable {
    let bytes: [UInt8]

    fileprivate static func append(_ row: RowReference, _ field: RowField, to bytes: inout [UInt8]) {
        switch field.storage {
        case .text, .bytes:
            let text = row.bytes(field)
            // The length precedes the text, so that different lists of values have different bytes.
            append(Int64(text.count), to: &bytes)
            bytes += text
        case .double: append(row.row.load(fromByteOffset: field.offset, as: Double.self), to: &bytes)
        case .float: append(Double(row.row.load(fromByteOffset: field.offset, as: Float.self)), to: &bytes)
        case .decimal:
            switch DecimalNumber(field, of: row.row) {
            case .whole(let whole): append(whole, to: &bytes)
            case .real(let real): append(real, to: &bytes)
            }
        case .bit: bytes.append(field.bool(in: row.row) ? 1 : 0)
        case .int16, .int32, .int64, .uuid, .reference:
            bytes += row.row.bytes(at: field.offset, count: field.storage.slotSize)
        }
    }

    private static func append(_ whole: Int64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: whole) { bytes += $0 }
    }

    /// -0 is treated as 0.
    private static func append(_ real: Double, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: real == 0 ? 0 : real) { bytes += $0 }
    }
}

extension EntityDescription {
    /// The constraints that the entity declares itself. Each table and index enforces those of one entity, for its
    /// subentities as well.
    var ownUniqueness: [UniquenessConstraint] { uniqueness.filter { $0.entityName == name } }

    /// The fault in the constraints that the entity adds to those of its superentity; nil if there is none.
    var faultOfUniqueness: String? {
        let own = uniquenessConstraints[(superentity?.uniquenessConstraints.count ?? 0)...]
        for constraint in own {
            if constraint.isEmpty { return "a uniqueness constraint is empty; name an attribute in it" }
            for name in constraint { if let fault = fault(ofConstrained: name) { return fault } }
            if Set(constraint).count < constraint.count {
                return "the uniqueness constraint \(constraint) names an attribute twice"
            }
        }
        if Set(own).count < own.count { return "it has the same uniqueness constraint twice" }
        // A store names the index after the attributes, and ignores case.
        let sameName = Dictionary(grouping: own) { $0.joined(separator: "_").lowercased() }.values.first {
            $0.count > 1
        }
        return sameName.map { same in
            "the uniqueness constraints \(same[0]) and \(same[1]) would have one index; rename an attribute"
        }
    }

    private func fault(ofConstrained name: String) -> String? {
        guard let attribute = attributesByName[name] else {
            return "there is no attribute \"\(name)\" that could be unique; it has \(attributes.map(\.name))"
        }
        if superentity?.attributesByName[name] != nil {
            return "\"\(name)\" is inherited; declare its uniqueness in the entity that declares the attribute"
        }
        guard attribute.attributeType != .transformable, attribute.attributeType != .binaryData else {
            return "\"\(name)\" is \(attribute.attributeType.rawValue), which cannot be unique"
        }
        return nil
    }
}
