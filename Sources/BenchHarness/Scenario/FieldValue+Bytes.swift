import Foundation

extension FieldValue {
    /// The bytes that a text comparison uses: those of a string in UTF-8, or of data; nil for a value of another type.
    public var bytes: Data? {
        switch self {
        case .string(let value): Data(value.utf8)
        case .data(let value): value
        default: nil
        }
    }
}
