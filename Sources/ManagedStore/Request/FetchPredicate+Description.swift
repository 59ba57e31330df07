/// A condition in Core Data's format language.
extension FetchPredicate.Node: CustomStringConvertible {
    /// A part that is still to be written.
    private enum Piece {
        case text(String)
        case node(FetchPredicate.Node)
    }

    var description: String {
        var (text, pending) = ("", [Piece.node(self)])
        while let piece = pending.popLast() {
            switch piece {
            case .text(let other): text += other
            case .node(.branch(let branch)): pending += Self.pieces(of: branch).reversed()
            case .node(let leaf): text += leaf.leafDescription
            }
        }
        return text
    }

    private static func pieces(of branch: FetchPredicate.Branch) -> [Piece] {
        switch branch.operation {
        case .and: joined(branch.operands, by: " AND ")
        case .or: joined(branch.operands, by: " OR ")
        case .not: [.text("NOT (")] + branch.parts.map { .node($0) } + [.text(")")]
        case .related(let key, let quantifier):
            [.text("\(quantifier.rawValue) \(key) (")] + branch.parts.map { .node($0) } + [.text(")")]
        }
    }

    private static func joined(_ nodes: [Self], by word: String) -> [Piece] {
        Array(nodes.map { [.text("("), .node($0), .text(")")] }.joined(separator: [.text(word)]))
    }

    private var leafDescription: String {
        switch self {
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .compare(let key, let comparison, let value, let options):
            "\(key) \(comparison.rawValue)\(options) \(value)"
        case .between(let key, let low, let high, let options): "\(key) BETWEEN\(options) {\(low), \(high)}"
        case .match(let key, let match, let value, let options): "\(key) \(match.rawValue)\(options) \"\(value)\""
        case .in(let key, let values, let options):
            "\(key) IN\(options) {\(values.map(\.description).joined(separator: ", "))}"
        case .objectIDs(let ids): "SELF IN {\(ids.map(\.description).joined(separator: ", "))}"
        case .count(let key, let comparison, let count): "\(key).@count \(comparison.rawValue) \(count)"
        case .values(let left, let comparison, let right): "\(left) \(comparison.rawValue) \(right)"
        case .branch: ""
        }
    }
}
