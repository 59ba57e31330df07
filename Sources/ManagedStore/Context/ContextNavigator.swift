/// Follows relationships among a context's objects, unsaved changes and all.
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
    /// The objects that a relationship of `object` leads to, their values loaded, but for those that are deleted or
    /// gone.
    fileprivate func existing(
        relatedTo object: ManagedObject, by relationship: ResolvedRelationship
    ) -> [ManagedObject] {
        let own = relationships(of: object)[relationship.position]
        let others = related(to: object, by: own).filter { !$0.isDeleted }
        for other in others where other.state.contains(.isHollow) { other.fireFault() }
        return others.filter { !$0.state.contains(.isGone) }
    }

    /// The object that to-one relationships lead to, one after another; nil where one leads nowhere.
    func object(from object: ManagedObject, through path: [ResolvedRelationship]) -> ManagedObject? {
        var object = object
        for step in path {
            guard let next = existing(relatedTo: object, by: step).first else { return nil }
            object = next
        }
        return object
    }

    /// All objects that relationships lead to from any of `objects`, their values read together. What is wanted of them
    /// must be held, or they are read again one by one.
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

/// Which objects a condition on related objects, or an order by them, may see differently because of unsaved changes.
extension ManagedObjectContext {
    /// The keys of objects that `plan` asks for, or would ask for, because of what is unsaved in objects that they are
    /// related to, or that it would put elsewhere.
    ///
    /// - Throws: any error of reading the store.
    func affected(by plan: FetchPlan) throws(StoreError) -> Set<Int64> {
        if pending.isEmpty { return [] }
        var affected = try affected(by: plan.sort.map(\.path))
        if let predicate = plan.predicate, predicate.followsRelationships {
            affected.formUnion(try self.affected(by: predicate))
        }
        return Set(affected.lazy.filter { plan.includes(Int($0.entity)) }.map(\.key))
    }

    /// From whom one of `paths` leads to an object with unsaved changes, or past one.
    func affected(by paths: [[ResolvedRelationship]]) throws(StoreError) -> Set<ObjectReference> {
        var all = Set<ObjectReference>()
        if pending.isEmpty { return all }
        for path in paths {
            var affected = Set<ObjectReference>()
            for step in path.reversed() { affected = try owners(of: affected.union(changed(step.destination)), step) }
            all.formUnion(affected)
        }
        return all
    }

    /// Whose related objects, at any distance that `predicate` looks at, have unsaved changes.
    private func affected(by predicate: ResolvedPredicate) throws(StoreError) -> Set<ObjectReference> {
        switch predicate {
        case .and(let parts), .or(let parts):
            var affected = Set<ObjectReference>()
            for part in parts { affected.formUnion(try self.affected(by: part)) }
            return affected
        case .not(let part): return try affected(by: part)
        case .decision(let steps, let otherwise):
            return try affected(by: .and(steps.map(\.condition) + [otherwise]))
        case .through(let relationship, let condition, _), .related(_, let relationship, let condition):
            return try owners(of: changed(relationship.destination).union(try affected(by: condition)), relationship)
        case .count(let relationship, _, _): return try owners(of: changed(relationship.destination), relationship)
        default: return []
        }
    }

    /// The objects of an entity, or those that inherit from it, with unsaved changes.
    private func changed(_ entity: Int) -> Set<ObjectReference> {
        let family = Set(model.hierarchy.families[entity])
        let changed = pending.inserted.lazy.filter(\.isInserted).map { $0 } + pending.updated.all + pending.deleted.all
        return Set(changed.filter { family.contains($0.entityIndex) }.map { ObjectReference($0) })
    }

    /// The objects that a relationship leads from to any of `members`, in the store or in this context.
    private func owners(
        of members: Set<ObjectReference>, _ relationship: ResolvedRelationship
    ) throws(StoreError) -> Set<ObjectReference> {
        if members.isEmpty { return [] }
        switch relationship.kind {
        case .toOne(let field): return try owners(of: members, referringBy: field, relationship.entity)
        case .toMany(let field): return Set(members.flatMap { references(from: $0, by: field) })
        case .manyToMany:
            guard let inverse = relationship.inverse else { return [] }
            var owners = Set<ObjectReference>()
            for member in members {
                let back = model.graph.relationships[Int(member.entity)][inverse]
                owners.formUnion(try linked(to: member, by: back))
            }
            return owners
        }
    }

    private func owners(
        of members: Set<ObjectReference>, referringBy field: Int, _ entity: Int
    ) throws(StoreError) -> Set<ObjectReference> {
        let store = try requireStore()
        let source = store.sources[entity]
        let ids = members.filter { $0.key > 0 }.map { StoredValue.objectID(source.id(of: $0)) }
        let plan = FetchPlan(source: source, predicate: .in(field, ids))
        let found = try store.keys(plan, FetchControl()).ids(source, among: store.sources)
        let unsaved = changed(entity).filter { owner in
            references(from: owner, by: field).contains { members.contains($0) }
        }
        return unsaved.union(found.map { ObjectReference(entity: $0.source.entityIndex, key: $0.key) })
    }

    /// What a reference of an object leads to, saved and unsaved.
    private func references(from reference: ObjectReference, by field: Int) -> [ObjectReference] {
        guard let object = object(referredToBy: reference) else { return [] }
        if object.isFault { object.fireFault() }
        let rows = [object.row, object.committedRow?.row].compactMap { $0 }
        return rows.compactMap { object.page.layout.fields[field].reference(in: $0) }
    }

    /// What a many-to-many relationship of an object leads to, saved and unsaved.
    private func linked(
        to reference: ObjectReference, by relationship: ResolvedRelationship
    ) throws(StoreError) -> Set<ObjectReference> {
        var linked = Set<ObjectReference>()
        if let object = object(referredToBy: reference) { linked.formUnion(references(of: object, relationship)) }
        guard reference.key > 0 else { return linked }
        let saved = try requireStore().relatedRows(to: reference.key, by: relationship).rows
        return withExtendedLifetime(saved) {
            linked.union(saved.references().map { ObjectReference(entity: $0.entityIndex, key: $0.row.key) })
        }
    }
}
