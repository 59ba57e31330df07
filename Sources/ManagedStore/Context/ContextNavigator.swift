/// Follows relationships among a context's objects, including unsaved changes.
struct ContextNavigator: RowNavigator {
    let context: ManagedObjectContext

    func withRelated<Result>(
        _ row: RowReference, _ relationship: ResolvedRelationship, _ body: ([RowReference]) -> Result
    ) -> Result {
        guard let object = context.object(referredToBy: ObjectReference(entity: row.entityIndex, key: row.row.key))
        else {
            return body([])
        }
        let there = context.existing(relatedTo: object, by: relationship)
        return withExtendedLifetime(there) { body(there.map { $0.rowReference }) }
    }
}

extension ManagedObjectContext {
    /// Returns the objects that a relationship of `object` leads to, with their values loaded. Leaves out objects that
    /// are deleted here or missing from the store.
    fileprivate func existing(
        relatedTo object: ManagedObject, by relationship: ResolvedRelationship
    ) -> [ManagedObject] {
        let own = relationships(of: object)[relationship.position]
        let others = related(to: object, by: own).filter { !$0.isDeleted }
        for other in others where other.state.contains(.isHollow) { other.fireFault() }
        return others.filter { !$0.state.contains(.isGone) }
    }

    /// Returns the object at the end of a path of to-one relationships; nil if one of them leads nowhere.
    func object(from object: ManagedObject, through path: [ResolvedRelationship]) -> ManagedObject? {
        var object = object
        for step in path {
            guard let next = existing(relatedTo: object, by: step).first else { return nil }
            object = next
        }
        return object
    }

    /// Returns all objects that a path leads to from any of `objects`; reads their values together. The caller must
    /// hold the result: the context would otherwise read released objects again, one by one.
    func readRelated(to objects: [ManagedObject], through path: [ResolvedRelationship]) -> [ManagedObject] {
        var (all, current) = ([ManagedObject](), objects)
        for step in path {
            let next = current.flatMap { related(to: $0, by: relationships(of: $0)[step.position]) }
            current = Array(Set(next))
            let hollow = current.filter { $0.state.contains(.isHollow) && !$0.state.contains(.isGone) }
            keepingErrors(otherwise: ()) { () throws(StoreError) in _ = try reload(hollow) }
            current.removeAll { $0.state.contains(.isGone) }
            all += current
        }
        return all
    }
}
