/// An in-memory store's data besides rows: the links of many-to-many relationships, and orders.
struct InMemoryRelationships {
    private struct Pair: Hashable {
        let first: Int64
        let second: Int64
    }

    private struct Place: Hashable {
        let declaring: Int
        let position: Int
        let owner: Int64
        let member: Int64
    }

    private var pairs: [Set<Pair>]
    private var numbers: [Place: Int64] = [:]
    private let model: ManagedObjectModel

    init(_ model: ManagedObjectModel) {
        self.model = model
        pairs = model.graph.joins.map { _ in [] }
    }

    /// Whether the object with the key `owner` is related to the object of `row`.
    func leads(_ relationship: ResolvedRelationship, from owner: Int64, to row: RowReference) -> Bool {
        switch relationship.kind {
        case .toOne: row.row.key == owner
        case .toMany(let field):
            model.entities[relationship.destination].layout.fields[field].reference(in: row.row)?.key == owner
        case .manyToMany(let join, let isFirst):
            pairs[join].contains(
                isFirst ? Pair(first: owner, second: row.row.key) : Pair(first: row.row.key, second: owner))
        }
    }

    /// Returns the pairs of a join, from one of its ends.
    func links(_ join: Int, isFirst: Bool) -> [(owner: Int64, member: Int64)] {
        pairs[join].map { isFirst ? ($0.first, $0.second) : ($0.second, $0.first) }
    }

    /// Returns the number of a member's position in an ordered relationship; 0 if it has none.
    func number(_ relationship: ResolvedRelationship, _ owner: Int64, _ member: Int64) -> Int64 {
        numbers[place(relationship, owner, member)] ?? 0
    }

    private func place(_ relationship: ResolvedRelationship, _ owner: Int64, _ member: Int64) -> Place {
        Place(declaring: relationship.declaring, position: relationship.position, owner: owner, member: member)
    }

    /// Returns those of `owners` at one end of a join that will be linked to objects whose keys `isMember` accepts.
    func linked(
        _ owners: Set<Int64>, in join: Int, isFirst: Bool, _ changes: ChangeSet, _ keys: PermanentKeys,
        where isMember: (Int64) -> Bool
    ) -> Set<Int64> {
        var after = self
        after.apply(changes.links, keys)
        return Set(
            after.links(join, isFirst: isFirst).filter { owners.contains($0.owner) && isMember($0.member) }.map(\.owner)
        )
    }

    private mutating func apply(_ links: [LinkChange], _ keys: PermanentKeys) {
        for link in links {
            let pair = Pair(first: keys.permanent(link.first), second: keys.permanent(link.second))
            // One end was discarded before the save.
            if pair.first == 0 || pair.second == 0 { continue }
            if link.isAdded { pairs[link.join].insert(pair) } else { pairs[link.join].remove(pair) }
        }
    }

    mutating func apply(_ changes: ChangeSet, _ keys: PermanentKeys) {
        apply(changes.links, keys)
        for order in changes.orders {
            let place = place(order.relationship, keys.permanent(order.owner), keys.permanent(order.member))
            numbers[place] = order.number
        }
        for (entity, changes) in changes.entities.enumerated() where !changes.deletes.isEmpty {
            unlink(Set(changes.deletes.map(\.row.key)), of: entity)
        }
    }

    /// Removes deleted objects from all links.
    mutating func unlink(_ keys: Set<Int64>, of entity: Int) {
        let hierarchy = model.hierarchy
        for (join, end) in model.graph.joins.enumerated() {
            let other = end.inverse.map { model.graph.relationships[end.destination][$0].declaring } ?? end.destination
            let isFirst = hierarchy.families[end.declaring].contains(entity)
            let isSecond = hierarchy.families[other].contains(entity)
            if !isFirst, !isSecond { continue }
            pairs[join] = pairs[join].filter {
                !(isFirst && keys.contains($0.first)) && !(isSecond && keys.contains($0.second))
            }
        }
    }
}

extension RowLayout {
    /// Replaces the temporary keys in a row's references by permanent ones.
    func makePermanent(_ row: RowPointer, _ keys: PermanentKeys) {
        for field in toOneFields {
            guard let reference = field.reference(in: row), reference.key < 0 else { continue }
            let permanent = ObjectReference(entity: Int(reference.entity), key: keys.permanent(reference.key))
            field.setReference(permanent.key == 0 ? nil : permanent, of: row)
        }
    }
}
