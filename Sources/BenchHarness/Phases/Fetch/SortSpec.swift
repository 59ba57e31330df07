/// One key of an ordering.
public struct SortSpec: Sendable, Equatable, Codable {
    /// The attribute's name.
    public var key: String
    /// Whether the smallest value comes first.
    public var ascending: Bool

    /// Creates a sort key.
    public init(key: String, ascending: Bool = true) {
        self.key = key
        self.ascending = ascending
    }
}
