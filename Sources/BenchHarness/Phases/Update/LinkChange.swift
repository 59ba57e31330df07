/// A change of a many-to-many relationship: it leads to one more record, or to one less.
///
/// A record that leads there already keeps its link, and one that does not has none to lose. Neither record counts a
/// save, since a link is in no record.
public struct LinkChange: Sendable, Equatable, Codable {
    /// The relationship of the records that the update is about, from either end.
    public var relationship: String
    /// The number of the record that they are linked to, or from which they are unlinked.
    public var number: Int64
    /// Whether the records are linked; otherwise they are unlinked.
    public var links: Bool

    /// Creates a change.
    public init(relationship: String, number: Int64, links: Bool) {
        self.relationship = relationship
        self.number = number
        self.links = links
    }
}

/// What updates made of the pairs of many-to-many relationships.
struct ExpectedLinks: Sendable {
    /// The targets that updates linked a source to or unlinked from it, in turn, by the names of relationships.
    private var changes: [String: [Int64: [(target: Int64, isLinked: Bool)]]] = [:]

    /// Links the records of a pair, or unlinks them.
    mutating func set(_ isLinked: Bool, _ source: Int64, to target: Int64, by link: Schema.Link) {
        changes[link.name, default: [:]][source, default: []].append((target, isLinked))
    }

    /// Returns the numbers of the records that a source leads to, of which `first` were those when it was made.
    func targets(of source: Int64, by link: Schema.Link, from first: [Int64]) -> [Int64] {
        guard let changes = changes[link.name]?[source] else { return first }
        return changes.reduce(into: first) { targets, change in
            if !change.isLinked {
                targets.removeAll { $0 == change.target }
            } else if !targets.contains(change.target) {
                targets.append(change.target)
            }
        }
    }
}
