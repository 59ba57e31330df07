import Foundation

extension JSONCursor {
    /// Reads a value for an attribute of the given type; null fits every type. A list is no sweep here: it is more
    /// likely meant as several values at once.
    func fieldValue(_ type: FieldType) -> FieldValue? {
        if isNull { return .null }
        return switch type {
        case .string: string(lengthMax: ScenarioLimits.textLength).map(FieldValue.string)
        case .bool: bool().map(FieldValue.bool)
        case .date: timestamp().map(FieldValue.date)
        case .int64: unswept.integer(in: ScenarioLimits.integers).map { .int64(Int64($0)) }
        case .double: unswept.number(in: ScenarioLimits.doubles).map(FieldValue.double)
        case .data: base64().map(FieldValue.data)
        }
    }

    /// Reads a point in time, in seconds since 2001-01-01 UTC.
    func timestamp() -> Double? {
        guard case .string(let text) = node.value, let seconds = TimestampReader.seconds(text) else {
            return refuseMismatch(expected: "a time such as \"2024-01-31T12:00:00Z\"")
        }
        return seconds
    }

    private func base64() -> Data? {
        guard let text = string(lengthMax: ScenarioLimits.textLength) else { return nil }
        guard let data = Data(base64Encoded: text) else { return refuseMismatch(expected: "bytes in base64") }
        return data
    }
}
