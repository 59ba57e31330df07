import Foundation

@testable import ManagedStore

/// Nodes with numbers, related in every way, in plain arrays: what a store ought to hold.
struct PlainGraph: Equatable {
    /// One end of a relationship between nodes.
    struct End: Hashable {
        let name: String
        let inverse: String
        var isToMany = true
        var isOrdered = false

        var isItsOwnInverse: Bool { name == inverse }
    }

    static let ends: [End] = [
        End(name: "friends", inverse: "friends"), End(name: "likes", inverse: "likedBy"),
        End(name: "likedBy", inverse: "likes"), End(name: "ranks", inverse: "rankedBy", isOrdered: true),
        End(name: "rankedBy", inverse: "ranks"), End(name: "parent", inverse: "children", isToMany: false),
        End(name: "children", inverse: "parent"), End(name: "list", inverse: "items", isToMany: false),
        End(name: "items", inverse: "list", isOrdered: true), End(name: "partner", inverse: "partner", isToMany: false),
    ]
    private static let endsByName = Dictionary(uniqueKeysWithValues: ends.map { ($0.name, $0) })
    /// The relationships whose pairs no row holds.
    static let linked = ["friends", "likes", "ranks"]
    /// The relationships to one node on whose other end are many.
    static let owned = ["parent", "list"]

    static func end(_ name: String) -> End { endsByName[name]! }

    let count: Int
    /// The numbers of the nodes: two attributes.
    var numbers: [[Int64]]
    /// For each end, the related nodes of each node: at most one for a relationship to one, in order if it has one.
    private var related: [String: [[Int]]]

    init(count: Int) {
        self.count = count
        numbers = Array(repeating: [0, 0], count: count)
        related = Dictionary(
            uniqueKeysWithValues: Self.ends.map { ($0.name, Array(repeating: [], count: count)) })
    }

    subscript(end: End, node: Int) -> [Int] { related[end.name]![node] }
    subscript(name: String, node: Int) -> [Int] { related[name]![node] }

    /// Lets an end of a node lead to exactly `members`, with every other end adapted.
    mutating func set(_ end: End, of node: Int, to members: [Int]) {
        let old = self[end, node]
        for member in old where !members.contains(member) { unlink(end, node, member) }
        for member in members where !old.contains(member) { link(end, node, member) }
        if end.isOrdered { related[end.name]![node] = members }
    }

    mutating func link(_ end: End, _ node: Int, _ member: Int) {
        if self[end, node].contains(member) { return }
        let inverse = Self.end(end.inverse)
        if !end.isToMany { for other in self[end, node] { unlink(end, node, other) } }
        if !inverse.isToMany { for other in self[inverse, member] { unlink(inverse, member, other) } }
        related[end.name]![node].append(member)
        if !end.isItsOwnInverse || node != member { related[inverse.name]![member].append(node) }
    }

    mutating func unlink(_ end: End, _ node: Int, _ member: Int) {
        related[end.name]![node].removeAll { $0 == member }
        related[end.inverse]![member].removeAll { $0 == node }
    }

    /// The graph with unordered members in ascending order; ordered ones too, unless `keepsOrder`.
    func sorted(keepsOrder: Bool) -> PlainGraph {
        var graph = self
        for end in Self.ends where !(end.isOrdered && keepsOrder) {
            for node in 0..<count { graph.related[end.name]![node].sort() }
        }
        return graph
    }

    /// What differs from another graph, for a message.
    func differences(from other: PlainGraph) -> [String] {
        (0..<count).flatMap { node in
            Self.ends.compactMap { end in
                self[end, node] == other[end, node]
                    ? nil : "\(node).\(end.name) is \(self[end, node]) instead of \(other[end, node])"
            } + (numbers[node] == other.numbers[node] ? [] : ["\(node) has \(numbers[node])"])
        }
    }
}

extension PlainGraph {
    /// The pairs of a relationship, from one end.
    func pairs(_ name: String) -> Set<[Int]> {
        Set((0..<count).flatMap { node in self[name, node].map { [node, $0] } })
    }

    /// What the row of a node holds, without its partner.
    func row(_ node: Int) -> [Int64] {
        numbers[node] + Self.owned.map { self[$0, node].first.map(Int64.init) ?? -1 }
    }

    mutating func setRow(_ row: [Int64], of node: Int) {
        numbers[node] = Array(row.prefix(2))
        for (name, owner) in zip(Self.owned, row.dropFirst(2)) {
            set(Self.end(name), of: node, to: owner < 0 ? [] : [Int(owner)])
        }
    }
}

// MARK: - In a store

extension PlainGraph {
    static func model() throws -> ManagedObjectModel {
        let relationships = ends.map { end in
            RelationshipDescription(
                end.name, to: "Node", inverse: end.inverse, isToMany: end.isToMany, isOrdered: end.isOrdered)
        }
        let attributes = ["number", "first", "second"].map { AttributeDescription($0, .integer64) }
        let node = EntityDescription(name: "Node", attributes: attributes, relationships: relationships)
        let text = AttributeDescription("text", .string, isOptional: true)
        return try ManagedObjectModel(entities: [
            node, EntityDescription(name: "Leaf", attributes: [text], superentity: node),
        ])
    }

    /// The entity of a node: every other is of a subentity.
    static func entity(of node: Int) -> String { node.isMultiple(of: 2) ? "Node" : "Leaf" }

    /// The nodes that a context finds, by number.
    static func nodes(in context: ManagedObjectContext) throws -> [ManagedObject] {
        let nodes = try context.fetch(FetchRequest<ManagedObject>(entityName: "Node"))
        return try nodes.map { (try $0.number("number"), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The graph that a context finds.
    init(in context: ManagedObjectContext) throws {
        let nodes = try Self.nodes(in: context)
        self.init(count: nodes.count)
        for (number, node) in nodes.enumerated() {
            numbers[number] = try [node.number("first"), node.number("second")]
            for end in Self.ends {
                let value = try node.value(forKey: end.name)
                let members =
                    (value as? ManagedObject).map { [$0] } ?? value as? [ManagedObject]
                    ?? Array(value as? Set<ManagedObject> ?? [])
                related[end.name]![number] = try members.map { Int(try $0.number("number")) }
            }
        }
    }
}

extension ManagedObject {
    fileprivate func number(_ key: String) throws -> Int64 { try value(forKey: key) as? Int64 ?? -1 }
}
