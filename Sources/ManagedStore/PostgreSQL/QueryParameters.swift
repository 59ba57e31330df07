import CPostgres
import Foundation

/// The values for the parameters of a statement.
struct QueryParameters {
    /// The types of the parameters; 0 lets the server tell it from where a parameter stands.
    private(set) var types: [Oid] = []
    /// The bytes of each value; nil for NULL.
    private var values: [[UInt8]?] = []
    private var formats: [Int32] = []

    init() {}

    /// Values as text, whose types the server tells from where they stand.
    init(_ values: [StoredValue]) {
        for value in values {
            types.append(0)
            formats.append(0)
            self.values.append(value.serverText.map { Array($0.utf8) + [0] })
        }
    }

    var count: Int { values.count }

    /// Appends a value in its binary form.
    mutating func append(_ bytes: [UInt8]?, _ type: ServerType) {
        types.append(type.rawValue)
        formats.append(1)
        values.append(bytes)
    }

    /// Appends an array in its binary form.
    mutating func append(_ bytes: [UInt8], arrayOf type: ServerType) {
        types.append(type.arrayType)
        formats.append(1)
        values.append(bytes)
    }

    mutating func append(_ text: String) { append(Array(text.utf8), .text) }

    mutating func append(_ number: Int64) {
        append(withUnsafeBytes(of: number.bigEndian) { Array($0) }, .bigint)
    }

    /// Calls `body` with the values, their lengths and their forms.
    func withPointers<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        let lengths = values.map { Int32($0?.count ?? 0) }
        // A value without bytes is not NULL, and so must have an address.
        let starts: [UnsafeMutablePointer<CChar>?] = values.map { value in
            guard let value else { return nil }
            let start = UnsafeMutablePointer<CChar>.allocate(capacity: max(value.count, 1))
            value.withUnsafeBytes { bytes in
                if let source = bytes.baseAddress { memcpy(start, source, bytes.count) }
            }
            return start
        }
        defer { for start in starts { start?.deallocate() } }
        let pointers = starts.map { UnsafePointer($0) }
        return pointers.withUnsafeBufferPointer { pointers in
            lengths.withUnsafeBufferPointer { lengths in
                formats.withUnsafeBufferPointer { body(pointers.baseAddress, lengths.baseAddress, $0.baseAddress) }
            }
        }
    }
}

/// The types of the server that the store's columns have, by the server's numbers for them.
enum ServerType: Oid {
    case boolean = 16
    case bytea = 17
    case bigint = 20
    case text = 25
    case double = 701
    case numeric = 1700

    init(_ kind: ColumnKind) {
        switch kind {
        case .boolean: self = .boolean
        case .integer: self = .bigint
        case .timestamp, .real: self = .double
        case .decimal: self = .numeric
        case .text: self = .text
        case .blob: self = .bytea
        }
    }

    var name: String {
        switch self {
        case .boolean: "boolean"
        case .bytea: "bytea"
        case .bigint: "bigint"
        case .text: "text"
        case .double: "double precision"
        case .numeric: "numeric"
        }
    }

    /// The number of the type of its arrays.
    var arrayType: Oid {
        switch self {
        case .boolean: 1000
        case .bytea: 1001
        case .bigint: 1016
        case .text: 1009
        case .double: 1022
        case .numeric: 1231
        }
    }
}
