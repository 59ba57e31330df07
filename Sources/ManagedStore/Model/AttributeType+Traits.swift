/// What the store knows of each type.
extension AttributeType {
    /// How the values lie in a row.
    @inline(__always) var storage: RowStorage {
        switch self {
        case .boolean: .bit
        case .integer16: .int16
        case .integer32: .int32
        case .integer64: .int64
        case .float: .float
        case .double, .date: .double
        case .decimal: .decimal
        case .uuid: .uuid
        case .string, .uri: .text
        case .binaryData, .transformable: .bytes
        case .objectID: .reference
        }
    }
}
