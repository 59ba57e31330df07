/// How the values of an attribute lie in a row.
///
/// Several attribute types share one storage. Code that moves, compares or binds values by the million switches over
/// the storage and not over the type, so that it stays as it is when a type is added.
enum RowStorage: Sendable {
    /// A bit beside the one that says that the value is missing.
    case bit
    case int16, int32, int64
    case float, double
    /// A ``DecimalNumber``: eight bytes, and eight that say which kind of number they are.
    case decimal
    /// Sixteen bytes, ordered by them.
    case uuid
    /// UTF-8: in the row while it is short, in the page's arena otherwise.
    case text
    /// Bytes, placed as text is.
    case bytes
    /// An ``ObjectReference``.
    case reference
}

extension RowStorage {
    /// Whether a value that is too long for its row lies in the page's arena.
    var isArena: Bool { self == .text || self == .bytes }

    /// How many bytes of a row the value takes.
    var slotSize: Int {
        switch self {
        case .bit: 0
        case .int16: 2
        case .int32, .float: 4
        case .int64, .double: 8
        case .decimal, .uuid, .text, .bytes, .reference: 16
        }
    }

    /// How many bits of a row the value takes: that it is missing, and what a bool is.
    var bitCount: Int { self == .bit ? 2 : 1 }
}
