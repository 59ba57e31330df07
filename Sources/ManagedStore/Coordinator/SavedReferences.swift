/// What a save relies on beyond the rows that it changes: where its references lead, and who leads back.
///
/// A store holds it against its rows within the save's own transaction, for another context or process may have deleted a target,
/// or given a partner to somebody else, since the context looked. Only references that the save makes count: those that were there
/// before are not its business.
struct SavedReferences {
    /// Keys of stored rows that references lead to, by the position of the rows' entity.
    private(set) var targets: [Set<Int64>]
    /// Keys of stored rows at the ends of new links, by the position of an entity that theirs is or inherits from.
    private(set) var linked: [Set<Int64>]
    /// By the number of an end of a one-to-one relationship: the key that the end leads to, and that of the one row that leads
    /// there, or 0 for none.
    private(set) var partners: [[Int64: Int64]]
    /// Required references to new objects that are not saved: the row's key and entity, and the relationship's position.
    private(set) var unsaved: [(key: Int64, entity: Int, position: Int)] = []
    private let keys: PermanentKeys
    private let model: ManagedObjectModel

    /// Whether the save makes no reference to what was there before it.
    var isEmpty: Bool {
        targets.allSatisfy(\.isEmpty) && linked.allSatisfy(\.isEmpty) && partners.allSatisfy(\.isEmpty)
    }

    init(_ changes: ChangeSet, _ model: ManagedObjectModel, _ keys: PermanentKeys) {
        self.model = model
        self.keys = keys
        targets = model.entities.map { _ in [] }
        linked = targets
        partners = model.graph.partners.map { _ in [:] }
        guard changes.hasRelationships else { return }
        for (entity, changes) in changes.entities.enumerated() {
            let fields = model.graph.references[entity]
            if fields.isEmpty { continue }
            for field in fields {
                note(changes.inserts, entity, field)
                note(updates: changes.updates, entity, field)
            }
        }
        for link in changes.links where link.isAdded { note(link) }
    }

    private mutating func note(_ rows: ContiguousArray<RowReference>, _ entity: Int, _ field: ReferenceField) {
        var last: ObjectReference?
        for row in rows {
            guard let new = field.field.reference(in: row.row) else { continue }
            if let partner = field.partner, new.key > 0 || row.row.key > 0 {
                claim(row.row.key, new, partner)
            }
            if new == last { continue }
            last = new
            note(new, row.row.key, entity, field)
        }
    }

    private mutating func note(updates rows: ContiguousArray<RowReference>, _ entity: Int, _ field: ReferenceField) {
        var last: ObjectReference?
        for row in rows {
            guard let origin = row.page._withUnsafeGuaranteedRef({ $0.origin(of: row.row) }),
                !RowPage.areEqual(origin, row, field.field)
            else { continue }
            let new = field.field.reference(in: row.row)
            if let partner = field.partner { claim(row.row.key, new, partner) }
            guard let new, new != last else { continue }
            last = new
            note(new, row.row.key, entity, field)
        }
    }

    @inline(__always)
    private mutating func note(_ reference: ObjectReference, _ key: Int64, _ entity: Int, _ field: ReferenceField) {
        if reference.key > 0 {
            targets[Int(reference.entity)].insert(reference.key)
        } else if !field.isOptional, keys.permanent(reference.key) == 0 {
            unsaved.append((key, entity, field.position))
        }
    }

    /// Of two partners each leads to the other, and nobody else to either.
    private mutating func claim(_ key: Int64, _ reference: ObjectReference?, _ partner: (own: Int, back: Int)) {
        let (own, other) = (keys.permanent(key), reference.map { keys.permanent($0.key) } ?? 0)
        partners[partner.back][own] = other
        if other != 0 { partners[partner.own][other] = own }
    }

    private mutating func note(_ link: LinkChange) {
        let first = model.graph.joins[link.join]
        if link.first > 0 { linked[first.declaring].insert(link.first) }
        if link.second > 0 { linked[first.destination].insert(link.second) }
    }

    /// - Throws: `StoreError` with `validationMissingMandatoryProperty`, or `validationMultipleErrors`, for required references to
    ///   what is not saved.
    func checkRequired(_ sources: [ObjectIDSource]) throws(StoreError) {
        try StoreError.throwAll(
            unsaved.map { key, entity, position in
                let id = ManagedObjectID(source: sources[entity], key: key)
                let name = sources[entity].entity.relationships[position].name
                return StoreError(
                    .validationMissingMandatoryProperty,
                    "\(id): \(sources[entity].entity.name).\(name) is required and leads to an object that was discarded",
                    objectID: id, key: name)
            })
    }
}
