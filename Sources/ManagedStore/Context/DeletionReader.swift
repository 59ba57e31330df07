/// Reads what the delete rules of objects look at, before the objects are deleted: for each relationship of a level of
/// a cascade a statement or a few. Following the rules object by object would take some for each object.
///
/// It changes no object. What it does not find, or fails to read, is read while the rules are followed.
struct DeletionReader {
    private let context: ManagedObjectContext
    private let prefetcher: Prefetcher
    /// What was read. The context holds its objects weakly, so the caller holds these while it deletes.
    private(set) var found: [[ManagedObject]] = []
    private var followed: Set<ObjectIdentifier> = []

    /// - Throws: `StoreError` with `noStore`.
    init(_ context: ManagedObjectContext) throws(StoreError) {
        self.context = context
        prefetcher = try Prefetcher(context)
    }

    /// Reads what the deletion of `objects` looks at.
    mutating func read(_ objects: [ManagedObject]) throws(StoreError) {
        var level = objects
        while !level.isEmpty { level = try follow(level) }
    }

    /// Returns the objects to delete with `objects`, as far as they were not followed before.
    private mutating func follow(_ objects: [ManagedObject]) throws(StoreError) -> [ManagedObject] {
        let new = objects.filter { isToDelete($0) && followed.insert(ObjectIdentifier($0)).inserted }
        try load(new)
        var dependents: [ManagedObject] = []
        for (entity, objects) in new.groups(by: \.entityIndex) {
            let known = objects.filter { !$0.state.contains(.isHollow) }
            for relationship in context.model.graph.relationships[entity] where relationship.isReadByDeletions {
                let related = try related(to: known, by: relationship)
                if relationship.inverse != nil { try load(related) }
                if relationship.description.deleteRule == .cascade { dependents += related }
            }
        }
        return dependents
    }

    private func isToDelete(_ object: ManagedObject) -> Bool {
        object.state.isDisjoint(with: [.isGone, .deleted]) && context.isHome(of: object)
            && !context.relationships(of: object).isEmpty
    }

    /// Reads faults all at once; those of a batch are read with their batch.
    private func load(_ objects: [ManagedObject]) throws(StoreError) {
        var seen: Set<ObjectIdentifier> = []
        let faults = objects.filter { object in
            object.state.contains(.isHollow) && !object.state.contains(.isGone) && !object.page.isBatch
                && seen.insert(ObjectIdentifier(object)).inserted
        }
        try context.load(all: faults)
    }

    private mutating func related(
        to objects: [ManagedObject], by relationship: ResolvedRelationship
    ) throws(StoreError) -> [ManagedObject] {
        context.forgetOrphans()
        let unread = objects.filter { !$0.isInserted && relationship.isToMany && !isKnown(relationship, of: $0) }
        // The list of one object takes fewer statements by itself.
        if unread.count > 1 { found.append(try prefetcher.read(relationship, of: unread)) }
        var related: [ManagedObject] = []
        for object in objects { related += try context.readRelated(to: object, by: relationship) }
        found.append(related)
        return related
    }

    private func isKnown(_ relationship: ResolvedRelationship, of object: ManagedObject) -> Bool {
        context.relationshipTable.isKnown(
            RelationshipTable.Slot(owner: ObjectReference(object), relationship: relationship.position))
    }
}

extension ResolvedRelationship {
    /// Whether a deletion reads the related objects: they are deleted as well, or their inverses change.
    fileprivate var isReadByDeletions: Bool {
        switch description.deleteRule {
        case .cascade: true
        case .nullify: inverse != nil
        case .noAction, .deny: false
        }
    }
}
