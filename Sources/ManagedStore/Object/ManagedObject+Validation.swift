import Foundation

/// Validation of the constraints on the entity's attributes.
extension ManagedObject {
    /// Validates the values of all attributes. For an entity with few constraints, this only checks the null bits and
    /// the floating-point numbers.
    @inline(__always) final func validateAttributes() throws(StoreError) {
        let row = rowReference
        let isSuspect = row.page._withUnsafeGuaranteedRef { $0.layout.validatesValues || $0.layout.isSuspect(row) }
        if isSuspect { try validateEach() }
    }

    private final func validateEach() throws(StoreError) {
        var errors: [StoreError] = []
        for (position, field) in page.layout.fields.enumerated() {
            guard page.layout.validatesValues, position < page.layout.attributeCount else {
                errors += violations(of: position, in: RowReference(row))
                continue
            }
            do throws(StoreError) {
                try validateValue(page.value(of: field, of: row), forKey: entity.attributes[position].name)
            } catch {
                errors += error.singleErrors
            }
        }
        try StoreError.throwAll(errors)
    }

    /// Returns the violations of `value` as a value of the attribute at `position`.
    final func violations(_ value: StoredValue, at position: Int) -> [StoreError] {
        let scratch = RowPage(writable: page.source, capacity: 1)
        let row = scratch.appendRow(key: 0)
        scratch.setValue(value, of: page.layout.fields[position], of: row)
        return withExtendedLifetime(scratch) { violations(of: position, in: RowReference(row)) }
    }

    private final func violations(of position: Int, in row: RowReference) -> [StoreError] {
        let field = page.layout.fields[position]
        if position >= page.layout.attributeCount { return violations(ofReference: field, at: position, in: row) }
        let attribute = entity.attributes[position]
        if field.isNull(in: row.row) {
            if attribute.isOptional { return [] }
            return [violation(.validationMissingMandatoryProperty, attribute, .null)]
        }
        if field.isNaN(in: row.row) {
            return [violation(.notANumber(attribute.attributeType), attribute, row.value(field))]
        }
        return page.layout.checks.filter { $0.position == position }.flatMap { check in
            check.violations(in: row).map { violation($0, attribute, row.value(field)) }
        }
    }

    private final func violation(
        _ code: StoreError.Code, _ attribute: AttributeDescription, _ value: StoredValue
    ) -> StoreError {
        StoreError(
            code, "\(objectID): \(entity.name).\(attribute.name) \(attribute.complaint(code, value))",
            objectID: objectID,
            key: attribute.name, value: value)
    }
}

extension AttributeDescription {
    /// Returns the end of a sentence that describes the violation.
    func complaint(_ code: StoreError.Code, _ value: StoredValue) -> String {
        switch code {
        case .validationMissingMandatoryProperty: "is required and has no value"
        case .validationNumberTooSmall, .validationDateTooSoon: "is \(value); the least is \(minValue ?? .null)"
        case .validationNumberTooLarge, .validationDateTooLate: "is \(value); the greatest is \(maxValue ?? .null)"
        case .validationStringTooShort: "is \(value); the least length is \(minLength ?? 0) Unicode scalars"
        case .validationStringTooLong: "is \(value); the greatest length is \(maxLength ?? 0) Unicode scalars"
        case .validationStringPatternMatching: "is \(value), which does not match \(pattern ?? "")"
        case .invalidRequest: "cannot be validated: \(StoreError.tooCostly(pattern ?? "").message)"
        default: "is NaN, which no store can keep; save nil or a number instead"
        }
    }
}

extension RowLayout {
    /// Whether a row needs a full validation.
    @inline(__always) fileprivate func isSuspect(_ row: RowReference) -> Bool {
        if lacksRequired(row.row) || hasNaN(row.row) { return true }
        for check in checks where !check.violations(in: row).isEmpty { return true }
        return false
    }

    /// Whether a number or date of `row` is NaN.
    func hasNaN(_ row: RowPointer) -> Bool {
        for field in nanFields where !field.isNull(in: row) && field.isNaN(in: row) { return true }
        return false
    }
}

extension RowField {
    /// Whether values of the field's type can be NaN.
    var canBeNaN: Bool { storage == .double || storage == .float || storage == .decimal }

    func isNaN(in row: RowPointer) -> Bool {
        switch storage {
        case .double: row.load(fromByteOffset: offset, as: Double.self).isNaN
        case .float: row.load(fromByteOffset: offset, as: Float.self).isNaN
        case .decimal: DecimalNumber(self, of: row).double.isNaN
        default: false
        }
    }
}
