/// Checks the references of a child's save against the parent's objects, before the parent takes over any change.
///
/// One-to-one partners need no check: the parent sets both ends of each change, as if it had been made there.
struct ParentReferenceCheck {
    private let parent: ManagedObjectContext
    private let changes: ChangeSet
    private let keys: PermanentKeys
    private let inserted: Set<Place>
    private let deleted: Set<Place>
    private var updated: [Place: RowReference] = [:]

    /// The identity of an object, independent of the entity of the hierarchy that a reference names.
    private struct Place: Hashable {
        let root: Int
        let key: Int64
    }

    init(_ parent: ManagedObjectContext, _ changes: ChangeSet, _ keys: PermanentKeys) {
        (self.parent, self.changes, self.keys) = (parent, changes, keys)
        let roots = parent.model.hierarchy.roots
        func places(_ rows: KeyPath<ChangeSet.EntityChanges, ContiguousArray<RowReference>>) -> Set<Place> {
            var places = Set<Place>()
            guard changes.hasRelationships else { return places }
            for (entity, changes) in changes.entities.enumerated() {
                for row in changes[keyPath: rows] {
                    places.insert(Place(root: roots[entity], key: keys.permanent(row.row.key)))
                }
            }
            return places
        }
        inserted = places(\.inserts)
        deleted = places(\.deletes)
    }

    /// - Throws: the errors that a store's check throws.
    mutating func run(deleting objects: [ManagedObject]) throws(StoreError) {
        guard SavedReferences.concern(changes, parent.model) else { return }
        let references = SavedReferences(changes, parent.model, keys)
        let sources = try parent.requireStore().sources
        try references.checkRequired(sources)
        var conflicts: [MergeConflict] = []
        for targets in references.targets { conflicts += try missing(targets.keys, sources[targets.entity]) }
        if !objects.isEmpty { noteUpdated() }
        for object in objects where isReferred(object) {
            conflicts.append(MergeConflict(referred: object.objectID, version: Int(object.row.version)))
        }
        if !conflicts.isEmpty { throw StoreError.conflict(conflicts) }
    }

    private func missing(_ keys: Set<Int64>, _ source: ObjectIDSource) throws(StoreError) -> [MergeConflict] {
        let family = parent.model.hierarchy.families[source.entityIndex]
        let unknown = keys.filter { key in
            let place = Place(root: source.rootIndex, key: key)
            return !inserted.contains(place) && !deleted.contains(place)
        }
        let objects = unknown.sorted().map { parent.object(with: ManagedObjectID(source: source, key: $0)) }
        try parent.reload(objects.filter { $0.state.contains(.isHollow) && !$0.state.contains(.isGone) })
        return objects.filter { object in
            !object.state.isDisjoint(with: [.isGone, .deleted]) || !family.contains(object.entityIndex)
        }.map { MergeConflict(target: $0.objectID) }
    }

    private mutating func noteUpdated() {
        for (entity, changes) in changes.entities.enumerated() {
            let root = parent.model.hierarchy.roots[entity]
            for row in changes.updates { updated[Place(root: root, key: row.row.key)] = row }
        }
    }

    /// Whether the parent's object that is to be deleted has referrers that the child does not know of.
    private func isReferred(_ object: ManagedObject) -> Bool {
        parent.relationships(of: object).contains { relationship in
            guard relationship.description.deleteRule != .noAction, relationship.isToMany else { return false }
            if relationship.isManyToMany, relationship.description.deleteRule == .nullify { return false }
            return parent.related(to: object, by: relationship).contains { member in
                !member.isDeleted && !isAccountedFor(member, of: object, relationship)
            }
        }
    }

    private func isAccountedFor(
        _ member: ManagedObject, of object: ManagedObject, _ relationship: ResolvedRelationship
    ) -> Bool {
        let place = Place(root: member.rootIndex, key: member.row.key)
        if deleted.contains(place) { return true }
        switch relationship.kind {
        case .toOne: return true
        case .toMany(let position):
            guard let row = updated[place] else { return false }
            let field = parent.model.entities[relationship.destination].layout.fields[position]
            return field.reference(in: row.row)?.key != object.row.key
        case .manyToMany(let join, let isFirst):
            let ends = (object.row.key, member.row.key)
            let (first, second) = isFirst ? ends : (ends.1, ends.0)
            return changes.links.contains {
                $0.join == join && !$0.isAdded && $0.first == first && $0.second == second
            }
        }
    }
}
