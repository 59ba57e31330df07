import Foundation

/// The part of a save that concerns links and orders, which no object's row holds.
extension ManagedObjectContext {
    /// Adds the added and removed links, and the positions in ordered relationships.
    func addRelationships(to changes: inout ChangeSet) {
        guard !model.graph.isEmpty else { return }
        changes.hasRelationships = true
        changes.temporaryKeyBase = pending.temporaryKeyBase
        readOrderedLists()
        for (slot, related) in relationshipTable.changesBesidesNotes() {
            let relationship = model.graph.relationships[Int(slot.owner.entity)][slot.relationship]
            if case .manyToMany(let join, true) = relationship.kind {
                changes.links += related.removed.map {
                    LinkChange(join: join, first: slot.owner.key, second: $0.key, isAdded: false)
                }
                changes.links += related.added.map {
                    LinkChange(join: join, first: slot.owner.key, second: $0.key, isAdded: true)
                }
            }
            if relationship.isOrdered { changes.orders += orders(slot, relationship) }
        }
    }

    /// Reads the lists whose orders are saved, as far as they are not known: those of many owners at once. What this
    /// fails to read is read list by list, and the context keeps the error then.
    private func readOrderedLists() {
        let unread = relationshipTable.changesBesidesNotes().map(\.slot).filter { slot in
            model.graph.relationships[Int(slot.owner.entity)][slot.relationship].isOrdered
                && !relationshipTable.isKnown(slot)
        }
        guard unread.count > 1, let prefetcher = try? Prefetcher(self) else { return }
        forgetOrphans()
        for (_, slots) in unread.groups(by: { Int($0.owner.entity) << 16 | $0.relationship }) {
            let relationship = model.graph.relationships[Int(slots[0].owner.entity)][slots[0].relationship]
            let owners = slots.compactMap { object(referredToBy: $0.owner) }
                .filter { $0.state.isDisjoint(with: [.inserted, .deleted, .isGone]) }
            // One list takes fewer statements by itself.
            if owners.count > 1 { _ = try? prefetcher.read(relationship, of: owners) }
        }
    }

    /// Returns the numbers that express the order. Numbers in ascending order already stay as they are, so that
    /// appending an object writes one number.
    private func orders(_ slot: Slot, _ relationship: ResolvedRelationship) -> [OrderChange] {
        guard let owner = object(referredToBy: slot.owner), owner.state.isDisjoint(with: [.deleted, .isGone]) else {
            return []
        }
        let (members, numbers) = (references(of: owner, relationship), numbers(slot))
        return zip(members, numbered(slot, members)).compactMap { member, number in
            if numbers[member] == number { return nil }
            return OrderChange(relationship: relationship, owner: slot.owner.key, member: member.key, number: number)
        }
    }

    private func numbers(_ slot: Slot) -> [ObjectReference: Int64] {
        guard let related = relationshipTable[slot], let stored = related.stored else { return [:] }
        return Dictionary(zip(stored, related.storedOrder), uniquingKeysWith: { first, _ in first })
    }

    private func numbered(_ slot: Slot, _ members: [ObjectReference]) -> [Int64] {
        let numbers = numbers(slot)
        var last: Int64 = 0
        var numbered: [Int64] = []
        for member in members {
            // If the largest possible number is in use, all members get new numbers.
            if last == .max { return members.indices.map { Int64($0) + 1 } }
            last = max(last + 1, numbers[member] ?? 0)
            numbered.append(last)
        }
        return numbered
    }

    /// Replaces the temporary keys in references to new objects by their permanent keys.
    func finishRelationships(_ changes: ChangeSet, _ keys: PermanentKeys) {
        guard changes.hasRelationships else { return }
        var orders: [Slot: [Int64]] = [:]
        for (slot, related) in relationshipTable.changesBesidesNotes() {
            let relationship = model.graph.relationships[Int(slot.owner.entity)][slot.relationship]
            if relationship.isOrdered, let members = related.current { orders[slot] = numbered(slot, members) }
        }
        relationshipTable.didSave(orders: orders)
        rename { keys.permanent($0) }
        for changes in changes.entities {
            for row in changes.inserts + changes.updates {
                row.page._withUnsafeGuaranteedRef { $0.layout.makePermanent(row.row, keys) }
            }
        }
    }

    private func rename(_ permanent: (Int64) -> Int64) {
        relationshipTable.rename { reference in
            if reference.key >= 0 { return reference }
            let key = permanent(reference.key)
            return key == 0 ? reference : ObjectReference(entity: Int(reference.entity), key: key)
        }
    }

    /// Replaces the temporary keys in references to new objects that got permanent keys before their save.
    func didObtain(_ permanent: [Int64: Int64]) {
        guard !model.graph.isEmpty, !permanent.isEmpty else { return }
        rename { permanent[$0] ?? 0 }
        for object in pending.inserted + pending.updated.all where object.state.isDisjoint(with: .isGone) {
            for field in object.page.layout.toOneFields {
                guard let reference = field.reference(in: object.row), let key = permanent[reference.key] else {
                    continue
                }
                field.setReference(ObjectReference(entity: Int(reference.entity), key: key), of: object.row)
            }
        }
    }
}
