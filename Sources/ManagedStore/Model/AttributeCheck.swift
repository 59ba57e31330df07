/// The limits, lengths and pattern of an attribute, ready to check rows without boxing their values.
struct AttributeCheck: Sendable {
    let position: Int
    private let field: RowField
    private let minValue: StoredValue?
    private let maxValue: StoredValue?
    private let lengths: ClosedRange<Int>?
    private let pattern: StringPattern?

    /// Nil for an attribute without constraints, and for constraints that its model rejects.
    init?(_ attribute: AttributeDescription, _ field: RowField, at position: Int) {
        guard attribute.fault == nil else { return nil }
        self.position = position
        self.field = field
        minValue = attribute.minValue?.fitted(to: attribute.attributeType)
        maxValue = attribute.maxValue?.fitted(to: attribute.attributeType)
        let hasLength = attribute.minLength != nil || attribute.maxLength != nil
        lengths = hasLength ? (attribute.minLength ?? 0)...(attribute.maxLength ?? .max) : nil
        pattern = attribute.pattern.flatMap { StringPattern($0) }
        if minValue == nil, maxValue == nil, lengths == nil, pattern == nil { return nil }
    }

    /// Returns the violations in the value of `row`; a missing value violates nothing.
    func violations(in row: RowReference) -> [StoreError.Code] {
        if field.isNull(in: row.row) { return [] }
        return (rangeViolation(row).map { [$0] } ?? []) + stringViolations(row)
    }

    private func rangeViolation(_ row: RowReference) -> StoreError.Code? {
        if let minValue, ValueComparison.holds(.less, row, field, minValue) {
            return field.type.number == .time ? .validationDateTooSoon : .validationNumberTooSmall
        }
        if let maxValue, ValueComparison.holds(.greater, row, field, maxValue) {
            return field.type.number == .time ? .validationDateTooLate : .validationNumberTooLarge
        }
        return nil
    }

    private func stringViolations(_ row: RowReference) -> [StoreError.Code] {
        var codes: [StoreError.Code] = []
        if let lengths {
            let length = Self.scalars(row.bytes(field))
            if length < lengths.lowerBound { codes.append(.validationStringTooShort) }
            if length > lengths.upperBound { codes.append(.validationStringTooLong) }
        }
        switch pattern?.match(String(decoding: row.bytes(field), as: UTF8.self)) {
        case .differs: codes.append(.validationStringPatternMatching)
        case .isTooCostly: codes.append(.invalidRequest)
        case .matches, nil: break
        }
        return codes
    }

    /// Returns the number of Unicode scalars of UTF-8: the bytes, without continuation bytes.
    private static func scalars(_ bytes: UnsafeRawBufferPointer) -> Int {
        bytes.count { $0 & 0xC0 != 0x80 }
    }

    /// Whether `low` is not greater than `high`, as values of `type`.
    static func isOrdered(_ low: StoredValue, _ high: StoredValue, _ type: AttributeType) -> Bool {
        switch (low.fitted(to: type)?.untyped, high.fitted(to: type)?.untyped) {
        case (.real(let low), .real(let high)): low <= high
        case (.decimal(let low), .decimal(let high)): low <= high
        case (.integer(let low), .integer(let high)): low <= high
        default: false
        }
    }
}
