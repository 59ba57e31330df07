extension FieldValue {
    /// The value in words, for messages about what was found.
    var inWords: String {
        switch self {
        case .null: "no value"
        case .string(let text): "the string \(text.quoted)"
        case .bool(let value): "\(value)"
        case .int64(let value): "\(value)"
        case .double(let value), .date(let value): "\(value)"
        case .data(let value): "\(value.count) bytes"
        }
    }
}
