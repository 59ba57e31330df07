/// How a row holds the values of an attribute.
///
/// Several attribute types share one storage. Code that moves, compares or binds values by the million switches over
/// the storage rather than the type, so that a new type does not affect it.
enum RowStorage: Sendable {
    /// One bit next to the bit for a missing value.
    case bit
    case int16, int32, int64
    case float, double
    /// A ``DecimalNumber``: eight bytes, and eight that hold the kind of number.
    case decimal
    /// Sixteen bytes, in the order of which values sort.
    case uuid
    /// UTF-8: a short string in the row, a longer one in the page's arena.
    case text
    /// Bytes, placed like text.
    case bytes
    /// An ``ObjectReference``.
    case reference
}

extension RowStorage {
    /// Whether a value that is too long for the row lies in the page's arena.
    var isArena: Bool { self == .text || self == .bytes }

    /// The number of bytes of a row that a value takes.
    var slotSize: Int {
        switch self {
        case .bit: 0
        case .int16: 2
        case .int32, .float: 4
        case .int64, .double: 8
        case .decimal, .uuid, .text, .bytes, .reference: 16
        }
    }

    /// The number of bits of a row that a value takes: the bit for a missing value, and the value of a bool.
    var bitCount: Int { self == .bit ? 2 : 1 }
}
