/// The references that a save relies on beyond the rows that it changes: their targets and their partners.
///
/// A store checks them within the save's transaction, since another context or process may have deleted a target,
/// or given a partner to another object, after the context read them. Only references that the save makes are checked;
/// existing ones are not.
struct SavedReferences {
    /// Rows of one entity.
    struct Targets {
        let entity: Int
        /// Whether rows of entities that inherit from this one are valid targets.
        let isFamily: Bool
        var keys: Set<Int64>
    }

    /// The partners by one end of a one-to-one relationship.
    struct Partners {
        /// The number of the end in the model.
        let end: Int
        /// The key of the one row that leads to each key by this end, or 0 if no row does.
        var claims: [Int64: Int64]
    }

    /// The stored rows that references and new links lead to. Arrays, since most saves make few references.
    private(set) var targets: [Targets] = []
    private(set) var partners: [Partners] = []
    /// Required references to new objects that are not saved: the key and entity of the row, and the position of the
    /// relationship.
    private(set) var unsaved: [(key: Int64, entity: Int, position: Int)] = []
    private let keys: PermanentKeys
    private let model: ManagedObjectModel

    /// Whether a save involves any relationship. Other saves need no check.
    static func concern(_ changes: ChangeSet, _ model: ManagedObjectModel) -> Bool {
        guard changes.hasRelationships else { return false }
        if !changes.links.isEmpty { return true }
        for entity in changes.entities.indices where !model.graph.relationships[entity].isEmpty {
            if !changes.entities[entity].isEmpty { return true }
        }
        return false
    }

    /// Whether the save makes no reference to stored rows.
    var isEmpty: Bool { targets.isEmpty && partners.isEmpty }

    init(_ changes: ChangeSet, _ model: ManagedObjectModel, _ keys: PermanentKeys) {
        self.model = model
        self.keys = keys
        guard changes.hasRelationships else { return }
        for entity in changes.entities.indices {
            for field in model.graph.references[entity] {
                note(changes.entities[entity].inserts, entity, field)
                note(updates: changes.entities[entity].updates, entity, field)
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
            guard let origin = row.origin, !RowPage.areEqual(origin, row, field.field) else { continue }
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
            insert(reference.key, of: Int(reference.entity), isFamily: false)
        } else if !field.isOptional, keys.permanent(reference.key) == 0 {
            unsaved.append((key, entity, field.position))
        }
    }

    /// Each of two partners leads to the other, and no third object leads to either.
    private mutating func claim(_ key: Int64, _ reference: ObjectReference?, _ partner: (own: Int, back: Int)) {
        let (own, other) = (keys.permanent(key), reference.map { keys.permanent($0.key) } ?? 0)
        note(own, isLedToBy: other, end: partner.back)
        if other != 0 { note(other, isLedToBy: own, end: partner.own) }
    }

    private mutating func note(_ key: Int64, isLedToBy owner: Int64, end: Int) {
        if let index = partners.firstIndex(where: { $0.end == end }) {
            partners[index].claims[key] = owner
        } else {
            partners.append(Partners(end: end, claims: [key: owner]))
        }
    }

    private mutating func insert(_ key: Int64, of entity: Int, isFamily: Bool) {
        if let index = targets.firstIndex(where: { $0.entity == entity && $0.isFamily == isFamily }) {
            targets[index].keys.insert(key)
        } else {
            targets.append(Targets(entity: entity, isFamily: isFamily, keys: [key]))
        }
    }

    private mutating func note(_ link: LinkChange) {
        let first = model.graph.joins[link.join]
        if link.first > 0 { insert(link.first, of: first.declaring, isFamily: true) }
        if link.second > 0 { insert(link.second, of: first.destination, isFamily: true) }
    }

    /// - Throws: `StoreError` with `validationMissingMandatoryProperty`, or `validationMultipleErrors`, for required
    ///   references to objects that are not saved.
    func checkRequired(_ sources: some RandomAccessCollection<ObjectIDSource>) throws(StoreError) {
        if unsaved.isEmpty { return }
        let sources = Array(sources)
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
