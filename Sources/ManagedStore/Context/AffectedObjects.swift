/// Finds the objects for which unsaved changes alter the result of a condition on, or an order by, related objects.
struct AffectedObjects {
    private let context: ManagedObjectContext

    init(_ context: ManagedObjectContext) {
        self.context = context
    }

    /// Returns the keys of the objects whose membership in the result of `plan`, or place in it, depends on unsaved
    /// changes of related objects.
    ///
    /// - Throws: any error of reading the store.
    func keys(of plan: FetchPlan) throws(StoreError) -> Set<Int64> {
        if context.pending.isEmpty { return [] }
        var affected = try references(along: plan.sort.map(\.path))
        if let predicate = plan.predicate, predicate.followsRelationships {
            affected.formUnion(try references(by: predicate))
        }
        return Set(affected.lazy.filter { plan.includes(Int($0.entity)) }.map(\.key))
    }

    /// Returns the objects from which one of `paths` leads to, or through, an object with unsaved changes.
    func references(along paths: [[ResolvedRelationship]]) throws(StoreError) -> Set<ObjectReference> {
        var all = Set<ObjectReference>()
        if context.pending.isEmpty { return all }
        for path in paths {
            var affected = Set<ObjectReference>()
            for step in path.reversed() { affected = try owners(of: affected.union(changed(step.destination)), step) }
            all.formUnion(affected)
        }
        return all
    }

    /// Returns the objects with unsaved changes among their related objects, at any distance that `predicate` looks at.
    private func references(by predicate: ResolvedPredicate) throws(StoreError) -> Set<ObjectReference> {
        switch predicate {
        case .and(let parts), .or(let parts):
            var affected = Set<ObjectReference>()
            for part in parts { affected.formUnion(try references(by: part)) }
            return affected
        case .not(let part): return try references(by: part)
        case .decision(let steps, let otherwise):
            return try references(by: .and(steps.map(\.condition) + [otherwise]))
        case .through(let relationship, let condition, _), .related(_, let relationship, let condition):
            return try owners(of: changed(relationship.destination).union(try references(by: condition)), relationship)
        case .count(let relationship, _, _): return try owners(of: changed(relationship.destination), relationship)
        case .values(let left, _, let right): return try references(by: left).union(try references(by: right))
        default: return []
        }
    }

    private func references(by value: BatchUpdatePlan.Expression) throws(StoreError) -> Set<ObjectReference> {
        switch value {
        case .related(let path, _): return try references(along: [path])
        case .count(let path, let relationship, let condition):
            let members = try condition.map { condition throws(StoreError) in try references(by: condition) } ?? []
            var affected = try owners(of: changed(relationship.destination).union(members), relationship)
            for step in path.reversed() { affected = try owners(of: affected.union(changed(step.destination)), step) }
            return affected
        case .constant, .attribute, .not, .chain:
            var affected = Set<ObjectReference>()
            for operand in value.operands { affected.formUnion(try references(by: operand)) }
            return affected
        }
    }

    /// Returns the objects with unsaved changes of an entity and of those that inherit from it.
    private func changed(_ entity: Int) -> Set<ObjectReference> {
        let family = Set(context.model.hierarchy.families[entity])
        let pending =
            context.pending.inserted.lazy.filter(\.isInserted).map { $0 } + context.pending.updated.all
            + context.pending.deleted.all
        return Set(pending.filter { family.contains($0.entityIndex) }.map { ObjectReference($0) })
    }

    /// Returns the objects that a relationship leads from to any of `members`, in the store or in this context.
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
                let back = context.model.graph.relationships[Int(member.entity)][inverse]
                owners.formUnion(try linked(to: member, by: back))
            }
            return owners
        }
    }

    private func owners(
        of members: Set<ObjectReference>, referringBy field: Int, _ entity: Int
    ) throws(StoreError) -> Set<ObjectReference> {
        let store = try context.requireStore()
        let source = store.sources[entity]
        let ids = source.ids(of: members.filter { $0.key > 0 }).map { StoredValue.objectID($0) }
        let plan = FetchPlan(source: source, predicate: .in(field, ids))
        let found = try store.keys(plan, .uncontrolled).ids(source, among: store.sources)
        let unsaved = changed(entity).filter { owner in
            references(from: owner, by: field).contains { members.contains($0) }
        }
        return unsaved.union(found.map { ObjectReference(entity: $0.source.entityIndex, key: $0.key) })
    }

    /// Returns what a reference of an object leads to: the saved and the unsaved target.
    private func references(from reference: ObjectReference, by field: Int) -> [ObjectReference] {
        guard let object = context.object(referredToBy: reference) else { return [] }
        if object.isFault { object.fireFault() }
        let rows = [object.row, object.committedRow?.row].compactMap { $0 }
        return rows.compactMap { object.page.layout.fields[field].reference(in: $0) }
    }

    /// Returns what a many-to-many relationship of an object leads to, in the store or in this context.
    private func linked(
        to reference: ObjectReference, by relationship: ResolvedRelationship
    ) throws(StoreError) -> Set<ObjectReference> {
        var linked = Set<ObjectReference>()
        if let object = context.object(referredToBy: reference) {
            linked.formUnion(context.references(of: object, relationship))
        }
        guard reference.key > 0 else { return linked }
        let saved = try context.requireStore().relatedRows(to: reference.key, by: relationship).rows
        return withExtendedLifetime(saved) {
            linked.union(saved.references().map { ObjectReference(entity: $0.entityIndex, key: $0.row.key) })
        }
    }
}
