/// A JSON value and where it stands, so that an error about it can name the place.
struct JSONNode: Sendable {
    /// The value itself. Objects keep the order of their keys, numbers their spelling.
    enum Value: Sendable {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONNode])
        case object([JSONMember])
    }

    let value: Value
    /// The position of the value's first byte.
    let offset: Int

    /// The value in words, for messages of the kind "found this".
    var inWords: String {
        switch value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let number): "the number \(number.text.abridged)"
        case .string(let text): "the string \(text.quoted)"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// A key of an object and its value.
struct JSONMember: Sendable {
    let key: String
    let keyOffset: Int
    let value: JSONNode
}

/// A number as it was written: converting it is left to the reader that knows its type, because `1e6` and `1.0` are
/// no integers and 2^63 is no Double.
struct JSONNumber: Sendable {
    let text: String

    /// The value if it is written without fraction and exponent and fits.
    func integer<Integer: FixedWidthInteger>(_ type: Integer.Type = Integer.self) -> Integer? {
        Integer(text)
    }

    /// The nearest Double, or nil when the number is beyond all of them.
    var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }
}
