/// The partners in one-to-one relationships.
extension ConflictSettlement {
    /// Makes the context's partners consistent with the store's rows in conflict.
    func settlePartners(_ conflicts: [MergeConflict]) throws(StoreError) {
        guard !conflicts.isEmpty else { return }
        let disputed = conflicts.map { context.object(with: $0.objectID) }
        try context.reload(disputed.filter { !$0.isInserted }, anew: true)
        let references = Set(disputed.map { ObjectReference($0) })
        let unsaved = unsavedPartnerships().filter { object, relationship, old, new in
            references.contains(ObjectReference(object))
                || [old, new].contains { $0.map(references.contains) ?? false }
        }
        if type.keepsUnsavedLinks {
            for (object, relationship, _, _) in unsaved { try enforce(relationship, of: object) }
            for object in disputed where isUsable(object) { try dropForeignPartners(of: object) }
        } else {
            for (object, relationship, _, _) in unsaved { withdraw(relationship, of: object) }
            for object in disputed where isUsable(object) { try withdrawPartners(of: object) }
        }
        context.pending.refreshed += disputed.filter { !$0.state.contains(.isGone) }
    }

    private typealias Partnership = (
        object: ManagedObject, relationship: ResolvedRelationship, old: ObjectReference?, new: ObjectReference?
    )

    private func isOneToOne(_ relationship: ResolvedRelationship) -> Bool {
        relationship.isOneToOne(among: context.model.graph.relationships)
    }

    /// Returns the changed references of one-to-one relationships that are to be saved.
    private func unsavedPartnerships() -> [Partnership] {
        let objects = context.pending.inserted.filter(\.isInserted) + context.pending.updated.all.filter(\.isUpdated)
        return objects.flatMap { object in
            context.relationships(of: object).filter(isOneToOne).compactMap { relationship in
                guard case .toOne(let position) = relationship.kind else { return nil }
                let (old, new) = (object.committedReference(at: position), object.reference(at: position))
                return old == new ? nil : (object, relationship, old, new)
            }
        }
    }

    /// Returns the object that a one-to-one relationship leads to now; nil if it does not exist.
    private func partner(
        of object: ManagedObject, _ relationship: ResolvedRelationship
    ) throws(StoreError) -> ManagedObject? {
        guard let reference = context.reference(of: object, relationship),
            let partner = context.object(referredToBy: reference)
        else { return nil }
        if partner.state.contains(.isHollow), try !context.load(partner) { return nil }
        return context.isThere(partner) ? partner : nil
    }

    /// Makes the context's choice of partner lead back.
    private func enforce(_ relationship: ResolvedRelationship, of object: ManagedObject) throws(StoreError) {
        guard let partner = try partner(of: object, relationship),
            let back = context.inverse(of: relationship, at: partner)
        else { return }
        // Loaded first, since the next step cannot throw; held until then, so that it stays in memory.
        let previous = try self.partner(of: partner, back)
        defer { withExtendedLifetime(previous) {} }
        context.noteInverse(of: relationship, of: object, reaches: partner, isStored: false)
    }

    /// Takes away an object's partners that lead to another object or to none.
    private func dropForeignPartners(of object: ManagedObject) throws(StoreError) {
        for relationship in context.relationships(of: object) where isOneToOne(relationship) {
            guard case .toOne(let position) = relationship.kind,
                object.reference(at: position) != nil
            else { continue }
            if let partner = try partner(of: object, relationship),
                let back = context.inverse(of: relationship, at: partner),
                try self.partner(of: partner, back) === object
            {
                continue
            }
            context.setReference(nil, at: position, of: object)
        }
    }

    /// Drops the unsaved changes to an object's partners, and those to the partners of these.
    private func withdrawPartners(of object: ManagedObject) throws(StoreError) {
        for relationship in context.relationships(of: object) where isOneToOne(relationship) {
            withdraw(relationship, of: object)
            if let partner = try partner(of: object, relationship),
                let back = context.inverse(of: relationship, at: partner)
            {
                withdraw(back, of: partner)
            }
        }
    }
}
