/// The part of a save that concerns links and orders, which no object's row holds.
extension SaveTransaction {
    private typealias Slot = RelationshipTable.Slot
    private typealias Change = (slot: Slot, related: RelationshipTable.Related)

    /// Collects the added and removed links, and the positions in ordered relationships.
    mutating func collectLinksAndOrders() {
        guard !context.model.graph.isEmpty else { return }
        changes.hasRelationships = true
        changes.temporaryKeyBase = context.pending.temporaryKeyBase
        let changed = context.relationshipTable.changesBesidesNotes()
        let appended = appendedOrders(changed)
        readOrderedLists(changed.filter { appended[$0.slot] == nil })
        for (slot, related) in changed {
            if let orders = appended[slot] {
                changes.orders += orders
                continue
            }
            let relationship = relationship(of: slot)
            if case .manyToMany(let join, true) = relationship.kind {
                changes.links += related.removed.map {
                    LinkChange(join: join, first: slot.owner.key, second: $0.key, isAdded: false)
                }
                changes.links += related.linked.map {
                    LinkChange(join: join, first: slot.owner.key, second: $0.key, isAdded: true)
                }
            }
            if relationship.isOrdered { changes.orders += orders(slot, related, relationship) }
        }
    }

    /// Returns the numbers of new objects at the end of lists that were not read: these take the store's last number
    /// rather than the list. What this fails to find out, the lists tell.
    private func appendedOrders(_ changed: [Change]) -> [Slot: [OrderChange]] {
        let appended = changed.filter {
            relationship(of: $0.slot).isAppendable && $0.related.isAppendedTo
                && !context.relationshipTable.lastAppended.contains($0.slot)
        }
        var orders: [Slot: [OrderChange]] = [:]
        var long = Set<Slot>()
        for (_, lists) in appended.groups(by: \.slot.relationshipNumber) {
            let relationship = relationship(of: lists[0].slot)
            let lists = lists.filter { isSaved($0.slot.owner) }
            guard !lists.isEmpty,
                let last = try? store.lastPlaces(of: lists.map(\.slot.owner.key), in: relationship)
            else { continue }
            for (slot, related) in lists {
                let last = max(last[slot.owner.key] ?? 0, 0)
                if last > Self.shortListCount { long.insert(slot) }
                orders[slot] = related.appendedNumbers(after: last)?.map { member, number in
                    OrderChange(relationship: relationship, owner: slot.owner.key, member: member.key, number: number)
                }
            }
        }
        context.relationshipTable.lastAppended = long
        return orders
    }

    /// The members that the store looks at for a last place in less time than it takes to read them.
    private static var shortListCount: Int64 { 32 }

    /// Whether the store has an object, as far as the context knows.
    private func isSaved(_ owner: ObjectReference) -> Bool {
        owner.key >= 0 && context.object(referredToBy: owner)?.isSaved == true
    }

    /// Reads the lists whose orders are saved, as far as they are not known: those of many owners at once. What this
    /// fails to read is read list by list, and the context keeps the error then.
    private func readOrderedLists(_ changed: [Change]) {
        let unread = changed.filter { !$0.related.isKnown }.map(\.slot)
            .filter { relationship(of: $0).isOrdered }
        guard unread.count > 1, let prefetcher = try? Prefetcher(context) else { return }
        context.forgetOrphans()
        for (_, slots) in unread.groups(by: \.relationshipNumber) {
            let relationship = relationship(of: slots[0])
            let owners = slots.compactMap { context.object(referredToBy: $0.owner) }.filter(\.isSaved)
            // One list takes fewer statements by itself.
            if owners.count > 1 { _ = try? prefetcher.read(relationship, of: owners) }
        }
    }

    private func relationship(of slot: Slot) -> ResolvedRelationship {
        context.model.graph.relationships[Int(slot.owner.entity)][slot.relationship]
    }

    /// Returns the numbers that express the order.
    private func orders(
        _ slot: Slot, _ related: RelationshipTable.Related, _ relationship: ResolvedRelationship
    ) -> [OrderChange] {
        guard let owner = context.object(referredToBy: slot.owner),
            owner.state.isDisjoint(with: [.deleted, .isGone])
        else { return [] }
        if !related.isKnown { _ = context.references(of: owner, relationship) }
        let changed = related.changedNumbers
        // A parent has numbers of its own, so it is told of every member.
        return (context.parent == nil || changed.isEmpty ? changed : related.places).map { member, number in
            OrderChange(relationship: relationship, owner: slot.owner.key, member: member.key, number: number)
        }
    }

    /// Replaces the temporary keys in references to new objects by their permanent keys.
    func finishRelationships() {
        guard changes.hasRelationships else { return }
        context.relationshipTable.didSave()
        context.relationshipTable.rename { keys.permanent($0) }
        for entity in changes.entities.indices {
            for row in changes.entities[entity].inserts { row.makePermanent(keys) }
            for row in changes.entities[entity].updates { row.makePermanent(keys) }
        }
        // Where another writer wins a conflict, the known members of the inverses are out of date.
        if settlements > 0 { context.relationshipTable.forgetStored() }
    }
}

extension RowReference {
    fileprivate func makePermanent(_ keys: PermanentKeys) {
        page._withUnsafeGuaranteedRef { $0.layout.makePermanent(row, keys) }
    }
}

extension ManagedObject {
    /// Whether the store has the object, as far as the context knows.
    fileprivate var isSaved: Bool { state.isDisjoint(with: [.inserted, .deleted, .isGone]) }
}

extension ResolvedRelationship {
    /// Whether the members' rows hold their places.
    fileprivate var isAppendable: Bool {
        guard isOrdered, case .toMany = kind else { return false }
        return true
    }
}
