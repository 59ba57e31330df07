/// The pairs of a many-to-many relationship in memory, found by either end.
private struct Links {
    private var byFirst: [Int64: Set<Int64>] = [:]
    private var bySecond: [Int64: Set<Int64>] = [:]

    /// Returns the keys at the other end of an object's pairs.
    func members(of owner: Int64, isFirst: Bool) -> Set<Int64> { (isFirst ? byFirst[owner] : bySecond[owner]) ?? [] }

    mutating func insert(_ first: Int64, _ second: Int64) {
        byFirst[first, default: []].insert(second)
        bySecond[second, default: []].insert(first)
    }

    mutating func remove(_ first: Int64, _ second: Int64) {
        byFirst.remove(second, from: first)
        bySecond.remove(first, from: second)
    }

    /// Removes all pairs of an object.
    mutating func removeAll(of owner: Int64, isFirst: Bool) {
        for member in members(of: owner, isFirst: isFirst) {
            if isFirst { remove(owner, member) } else { remove(member, owner) }
        }
    }
}

extension [Int64: Set<Int64>] {
    /// Removes an element from the set of a key, and the set if nothing is left in it.
    mutating func remove(_ element: Int64, from key: Int64) {
        guard let place = index(forKey: key) else { return }
        values[place].remove(element)
        if values[place].isEmpty { remove(at: place) }
    }
}

/// An in-memory store's data besides rows: the links of many-to-many relationships, and orders.
struct InMemoryRelationships {
    private struct Place: Hashable {
        let declaring: Int
        let position: Int
        let owner: Int64
        let member: Int64
    }

    /// By the position of the join in the model.
    private var links: [Links]
    private var numbers: [Place: Int64] = [:]
    private let model: ManagedObjectModel

    init(_ model: ManagedObjectModel) {
        self.model = model
        links = model.graph.joins.map { _ in Links() }
    }

    /// Returns the keys to which the pairs of a join lead from an object at one of its ends.
    func members(of owner: Int64, in join: Int, isFirst: Bool) -> Set<Int64> {
        links[join].members(of: owner, isFirst: isFirst)
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
        var after = Dictionary(uniqueKeysWithValues: owners.map { ($0, members(of: $0, in: join, isFirst: isFirst)) })
        for link in changes.links where link.join == join {
            guard let (first, second) = ends(of: link, keys) else { continue }
            let (owner, member) = isFirst ? (first, second) : (second, first)
            if link.isAdded { after[owner]?.insert(member) } else { after[owner]?.remove(member) }
        }
        return Set(after.filter { $0.value.contains(where: isMember) }.keys)
    }

    /// Returns the keys at the ends of a link; nil if one end was discarded before the save.
    private func ends(of link: LinkChange, _ keys: PermanentKeys) -> (first: Int64, second: Int64)? {
        let (first, second) = (keys.permanent(link.first), keys.permanent(link.second))
        return first == 0 || second == 0 ? nil : (first, second)
    }

    mutating func apply(_ changes: ChangeSet, _ keys: PermanentKeys) {
        for link in changes.links {
            guard let (first, second) = ends(of: link, keys) else { continue }
            if link.isAdded { links[link.join].insert(first, second) } else { links[link.join].remove(first, second) }
        }
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
            for key in keys {
                if isFirst { links[join].removeAll(of: key, isFirst: true) }
                if isSecond { links[join].removeAll(of: key, isFirst: false) }
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
