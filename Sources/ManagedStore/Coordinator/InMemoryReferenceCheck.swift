/// Checks the references of a save against the rows in memory, as they will be after the save.
///
/// The rows that refer to a deleted one are found by its key. The partners of a row are checked by reading the new and
/// the previous one.
struct InMemoryReferenceCheck {
    /// The contents before the save.
    private let contents: InMemoryContents
    private let sources: [ObjectIDSource]
    private let changes: ChangeSet
    private let keys: PermanentKeys
    private let model: ManagedObjectModel
    /// The rows that the save writes, by the position of the root entity.
    private var written: [[Int64: RowReference]]
    private var deleted: [Set<Int64>]

    init(_ contents: InMemoryContents, _ changes: ChangeSet, _ keys: PermanentKeys, _ model: ManagedObjectModel) {
        (self.contents, self.changes, self.keys, self.model) = (contents, changes, keys, model)
        sources = contents.sources
        written = sources.map { _ in [:] }
        deleted = sources.map { _ in [] }
    }

    private mutating func noteWritten() {
        for (entity, changes) in changes.entities.enumerated() {
            let root = sources[entity].rootIndex
            for row in changes.inserts { written[root][keys.permanent(row.row.key)] = row }
            // A row set back to its previous values is not written, and the stored row may be another one by now.
            for row in changes.updates where row.changedOrigin(sources[entity].entity.layout) != nil {
                written[root][row.row.key] = row
            }
            deleted[root].formUnion(changes.deletes.lazy.map(\.row.key))
        }
    }

    /// - Throws: the errors of ``ReferenceCheck/run(_:)``.
    mutating func run() throws(StoreError) {
        let references = SavedReferences(changes, model, keys)
        try references.checkRequired(sources)
        if references.isEmpty, changes.entities.allSatisfy(\.deletes.isEmpty) { return }
        noteWritten()
        var conflicts: [MergeConflict] = []
        for targets in references.targets {
            let entity = targets.entity
            conflicts += missing(
                targets.keys, entity, targets.isFamily ? model.hierarchy.families[entity] : [entity])
        }
        for partners in references.partners {
            conflicts += disputes(model.graph.partners[partners.end], partners.claims)
        }
        for (entity, changes) in changes.entities.enumerated() where !changes.deletes.isEmpty {
            conflicts += referred(changes.deletes, entity)
        }
        if !conflicts.isEmpty { throw StoreError.conflict(conflicts) }
    }

    private func stored(_ root: Int, _ key: Int64) -> RowReference? { contents.row(key, around: root)?.reference }

    /// The row as it will be.
    private func row(_ key: Int64, _ root: Int) -> RowReference? {
        deleted[root].contains(key) ? nil : written[root][key] ?? stored(root, key)
    }

    private func missing(_ keys: Set<Int64>, _ entity: Int, _ entities: [Int]) -> [MergeConflict] {
        let root = sources[entity].rootIndex
        let gone = keys.filter { key in
            if deleted[root].contains(key) { return false }
            return row(key, root).map { !entities.contains($0.entityIndex) } ?? true
        }
        return gone.sorted().map { MergeConflict(target: ManagedObjectID(source: sources[entity], key: $0)) }
    }

    private func disputes(_ end: ResolvedRelationship, _ claims: [Int64: Int64]) -> [MergeConflict] {
        guard case .toOne(let position) = end.kind, let inverse = end.inverse,
            case .toOne(let backPosition) = model.graph.relationships[end.destination][inverse].kind
        else { return [] }
        let field = model.entities[end.declaring].layout.fields[position]
        let back = model.entities[end.destination].layout.fields[backPosition]
        let (root, targetRoot) = (sources[end.declaring].rootIndex, sources[end.destination].rootIndex)
        var disputed = Set<Int64>()
        for (target, owner) in claims {
            let before = stored(targetRoot, target).flatMap { back.reference(in: $0.row)?.key } ?? 0
            for key in [owner, before] {
                guard let row = row(key, root) else { continue }
                let leads = field.reference(in: row.row).map { keys.permanent($0.key) } == target
                if leads != (key == owner) { disputed.insert(key) }
            }
        }
        return disputed.sorted().compactMap { key in
            stored(root, key).map { row in
                MergeConflict(
                    partner: ManagedObjectID(source: sources[row.entityIndex], key: key), version: Int(row.row.version))
            }
        }
    }

    private func referred(_ deletes: ContiguousArray<RowReference>, _ entity: Int) -> [MergeConflict] {
        let own = Set(deletes.lazy.map(\.row.key))
        var referred = Set<Int64>()
        for relationship in model.graph.relationships[entity] where relationship.description.deleteRule != .noAction {
            referred.formUnion(leading(back: relationship, to: own))
        }
        return deletes.filter { referred.contains($0.row.key) }.map { row in
            MergeConflict(
                referred: ManagedObjectID(source: sources[entity], key: row.row.key), version: Int(row.row.version))
        }
    }

    /// Returns those of the deleted rows with `keys` that other rows will refer to.
    private func leading(back relationship: ResolvedRelationship, to keys: Set<Int64>) -> Set<Int64> {
        let root = sources[relationship.destination].rootIndex
        let field: Int
        switch relationship.kind {
        case .toMany(let position): field = position
        case .toOne:
            guard let inverse = relationship.inverse,
                case .toOne(let position) = model.graph.relationships[relationship.destination][inverse].kind
            else { return [] }
            field = position
        case .manyToMany(let join, let isFirst):
            if relationship.description.deleteRule == .nullify { return [] }
            return contents.relationships.linked(keys, in: join, isFirst: isFirst, changes, self.keys) { member in
                row(member, root) != nil
            }
        }
        return referred(keys, by: field, from: relationship.destination)
    }

    /// Returns those of `keys` that rows of an entity, or of those that inherit from it, will refer to.
    private func referred(_ keys: Set<Int64>, by position: Int, from entity: Int) -> Set<Int64> {
        let (root, family) = (sources[entity].rootIndex, model.hierarchy.families[entity])
        let field = model.entities[entity].layout.fields[position]
        let byOthers = keys.filter { key in
            contents.referrers(to: key, by: position, of: entity).contains { stored in
                written[root][stored.row.key] == nil && !deleted[root].contains(stored.row.key)
            }
        }
        let byWritten = written[root].values.compactMap { row -> Int64? in
            guard family.contains(row.entityIndex), !deleted[root].contains(row.row.key) else { return nil }
            return field.reference(in: row.row).map { self.keys.permanent($0.key) }
        }
        return byOthers.union(keys.intersection(byWritten))
    }
}
