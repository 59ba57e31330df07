/// A JSON value and its position, so that an error about it can name the place.
struct JSONNode: Sendable {
    /// The value itself. Objects keep the order of their keys, and numbers keep their spelling.
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
    /// The position after its last byte; 0 for a value that is in no file.
    var end = 0

    /// The value in words, for messages about what was found.
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

/// A number as written. The reader that knows its type converts it, because `1e6` and `1.0` are not integers and 2^63
/// is not a Double.
struct JSONNumber: Sendable {
    let text: String

    /// Returns the value if it has no fraction and no exponent, and fits.
    func integer<Integer: FixedWidthInteger>(_ type: Integer.Type = Integer.self) -> Integer? {
        Integer(text)
    }

    /// The nearest Double; nil if the number is beyond all of them.
    var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }
}
