/// Brings a context's objects in conflict to a state that can be saved over the store's current rows, as a merge policy
/// demands.
struct ConflictSettlement {
    let context: ManagedObjectContext
    let type: MergePolicy.MergeType

    /// - Throws: any error of reading rows that refer to objects in conflict.
    func settle(_ conflicts: [MergeConflict]) throws(StoreError) {
        context.checkQueue()
        settleChanges(conflicts.filter { $0.cause == .change || $0.cause == .deletion && !type.keepsUnsavedLinks })
        if type.keepsUnsavedLinks { try followDeleteRules(conflicts.filter { $0.cause == .deletion }) }
        settleReferences(conflicts.filter { $0.cause == .reference })
        try settlePartners(conflicts.filter { $0.cause == .partnership })
        context.pending.removeSettled()
        context.relationshipTable.forgetStored()
    }

    private func settleChanges(_ conflicts: [MergeConflict]) {
        for conflict in conflicts {
            guard let object = context.registeredObject(for: conflict.objectID), object.hasChanges else { continue }
            guard let current = conflict.current else {
                drop(object)
                continue
            }
            withExtendedLifetime(current) {
                if object.isDeleted {
                    settleDeletion(of: object, current.reference)
                } else {
                    settleUpdate(of: object, current.reference)
                }
            }
            context.pending.refreshed.append(object)
        }
    }

    private func settleUpdate(of object: ManagedObject, _ current: RowReference) {
        if !type.keepsUnsavedLinks { context.dropUnsavedLinks(of: object) }
        let kept = unsavedFields(of: object, over: current)
        if kept.isEmpty { return takeOn(current, object) }
        let steady = context.steadyReferences(of: object, over: current)
        context.relationshipsWillRevert(of: object, keeping: steady)
        context.rebase(object, on: current, keeping: kept)
        context.relationshipsDidRebase(of: object, keeping: steady)
    }

    /// Returns the attributes whose unsaved values stay on top of the store's current row.
    private func unsavedFields(
        of object: ManagedObject, over current: RowReference
    ) -> [RowField] {
        guard let base = object.committedRow else { return [] }
        let fields = object.entity.layout.fields
        let mine = object.rowReference
        let changed = fields.filter { !RowPage.areEqual(base, mine, $0) }
        switch type {
        case .error, .mergeByPropertyObjectTrump: return changed
        case .mergeByPropertyStoreTrump: return changed.filter { RowPage.areEqual(base, current, $0) }
        case .overwrite: return fields
        case .rollback: return []
        }
    }

    private func settleDeletion(of object: ManagedObject, _ current: RowReference) {
        switch type {
        case .error, .mergeByPropertyObjectTrump, .overwrite:
            takeOn(current, object)
            object.state.insert(.deleted)
        case .mergeByPropertyStoreTrump, .rollback:
            context.dropUnsavedLinks(of: object)
            takeOn(current, object)
        }
    }

    /// Takes an object that the store no longer has out of the context.
    func drop(_ object: ManagedObject) {
        for changed in context.fetchesUnderWay.values { changed.insert(object) }
        context.relationshipsWillRevert(of: object)
        context.dropUnsavedLinks(of: object)
        context.leave(object)
        context.pending.discarded.append(object)
    }

    /// Gives an object the store's values and drops its unsaved changes.
    private func takeOn(_ current: RowReference, _ object: ManagedObject) {
        context.relationshipsWillRevert(of: object)
        object.adopt(current.page.takeUnretainedValue(), current.row)
        object.state.subtract([.updated, .deleted, .isFault, .isHollow, .isWritable, .isReported])
    }
}

extension MergePolicy.MergeType {
    /// Whether a save keeps the unsaved links of an object in conflict.
    ///
    /// No row holds links, so a save cannot detect a change to the store's links. The side that wins an attribute that
    /// both changed therefore wins all links.
    var keepsUnsavedLinks: Bool {
        switch self {
        case .error, .mergeByPropertyObjectTrump, .overwrite: true
        case .mergeByPropertyStoreTrump, .rollback: false
        }
    }
}
