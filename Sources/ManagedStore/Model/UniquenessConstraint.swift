import Foundation

/// Attributes whose values, taken together, no two objects of an entity, or of those that inherit from it, may have in
/// common.
///
/// An object without a value for one of them has nothing in common with any other.
struct UniquenessConstraint: Sendable {
    /// The entity that declares it.
    let entityName: String
    let attributes: [String]
    /// Where the attributes stand among the entity's.
    let positions: [Int]
    let fields: [RowField]

    /// Nil for what a model refuses: attributes that the entity does not have.
    init?(_ attributes: [String], entityName: String, positions known: [String: Int], layout: RowLayout) {
        let positions = attributes.compactMap { known[$0] }
        guard positions.count == attributes.count, !positions.isEmpty else { return nil }
        self.entityName = entityName
        self.attributes = attributes
        self.positions = positions
        fields = positions.map { layout.fields[$0] }
    }

    /// What a row has under the constraint; nil when it lacks a value.
    func key(of row: RowReference) -> ConstraintKey? {
        var bytes: [UInt8] = []
        for field in fields {
            if field.isNull(in: row.row) { return nil }
            ConstraintKey.append(row, field, to: &bytes)
        }
        return ConstraintKey(bytes: bytes)
    }

    /// The values of a row by attribute.
    func values(of row: RowReference) -> [String: StoredValue] {
        Dictionary(zip(attributes, fields).map { ($0, row.value($1)) }, uniquingKeysWith: { first, _ in first })
    }
}

/// The values of a row under a constraint: equal where SQLite's index finds them equal.
struct ConstraintKey: Hashable {
    let bytes: [UInt8]

    fileprivate static func append(_ row: RowReference, _ field: RowField, to bytes: inout [UInt8]) {
        switch field.storage {
        case .text, .bytes:
            let text = row.bytes(field)
            // The length first, so that no two lists of values run into one.
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

    /// -0 counts as 0.
    private static func append(_ real: Double, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: real == 0 ? 0 : real) { bytes += $0 }
    }
}

extension EntityDescription {
    /// The constraints that the entity declares itself. Each table and index looks after those of one entity, and after
    /// what inherits them from there.
    var ownUniqueness: [UniquenessConstraint] { uniqueness.filter { $0.entityName == name } }

    /// What is wrong with the constraints that the entity adds to its superentity's; nil if nothing is.
    var faultOfUniqueness: String? {
        let own = uniquenessConstraints[(superentity?.uniquenessConstraints.count ?? 0)...]
        for constraint in own {
            if constraint.isEmpty { return "a uniqueness constraint names no attribute" }
            for name in constraint { if let fault = fault(ofConstrained: name) { return fault } }
            if Set(constraint).count < constraint.count {
                return "the uniqueness constraint \(constraint) names an attribute twice"
            }
        }
        return Set(own).count < own.count ? "it has the same uniqueness constraint twice" : nil
    }

    private func fault(ofConstrained name: String) -> String? {
        guard let attribute = attributesByName[name] else {
            return "there is no attribute \"\(name)\" to be unique; it has \(attributes.map(\.name))"
        }
        if superentity?.attributesByName[name] != nil {
            return "\"\(name)\" is inherited; the entity that declares it says whether it is unique"
        }
        guard attribute.attributeType != .transformable, attribute.attributeType != .binaryData else {
            return "\"\(name)\" is \(attribute.attributeType.rawValue), which cannot be unique"
        }
        return nil
    }
}
