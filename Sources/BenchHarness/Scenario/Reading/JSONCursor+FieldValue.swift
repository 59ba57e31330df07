import Foundation

extension JSONCursor {
    /// A value for an attribute of the given type; null fits every type.
    func fieldValue(_ type: FieldType) throws(ScenarioError) -> FieldValue {
        if isNull { return .null }
        switch type {
        case .string: return .string(try string(lengthMax: ScenarioLimits.textLength))
        case .bool: return .bool(try bool())
        case .date: return .date(try timestamp())
        case .int64: return .int64(Int64(try integer(in: ScenarioLimits.integers)))
        case .double: return .double(try number(in: ScenarioLimits.doubles))
        case .data: return .data(try base64())
        }
    }

    /// A point in time in seconds since 2001-01-01 UTC.
    func timestamp() throws(ScenarioError) -> Double {
        guard case .string(let text) = node.value, let seconds = TimestampReader.seconds(text) else {
            throw mismatch(expected: "a time such as \"2024-01-31T12:00:00Z\"")
        }
        return seconds
    }

    private func base64() throws(ScenarioError) -> Data {
        guard let data = Data(base64Encoded: try string(lengthMax: ScenarioLimits.textLength)) else {
            throw mismatch(expected: "bytes in base64")
        }
        return data
    }
}
