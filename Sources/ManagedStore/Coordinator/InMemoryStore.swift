import Foundation
import Locking

/// A store without a file: rows in memory, the same promises otherwise.
final class InMemoryStore: PersistentStore, @unchecked Sendable {
    // Unchecked: what can change is only touched with the lock held; rows are never changed, only replaced.
    fileprivate struct Table {
        var rows: [Int64: StoredRow] = [:]
        var nextKey: Int64 = 1
    }

    /// A row and the page that it keeps alive.
    fileprivate struct StoredRow {
        let page: RowPage
        let row: RowPointer
        var reference: RowReference { RowReference(page, row) }
    }

    private struct Counts {
        var rows = 0
        var conflicts = 0
    }

    let identifier = UUID()
    let url: URL? = nil
    let sources: [ObjectIDSource]
    private let lock = Lock()
    /// By the position of the entity at the root of a hierarchy; those of other entities stay empty.
    private var tables: [Table]
    private var relationships: InMemoryRelationships
    private var uniqueValues: UniqueValueIndex
    private var savedMetadata: [String: StoredValue] = [:]
    private var counts = Counts()

    init(model: ManagedObjectModel) {
        sources = ObjectIDSource.all(model, identifier)
        tables = sources.map { _ in Table() }
        relationships = InMemoryRelationships(model)
        uniqueValues = UniqueValueIndex(sources)
    }

    var metadata: [String: StoredValue] { lock.withLock { savedMetadata } }
    var statistics: StoreStatistics {
        lock.withLock { StoreStatistics(rows: counts.rows, conflicts: counts.conflicts) }
    }
    func resetStatistics() { lock.withLock { counts = Counts() } }
    func checkpoint() {}
    func close() {}

    func rows(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows {
        try rows(plan, navigator, control)
    }

    /// The rows as `navigator` finds them.
    func rows(
        _ plan: FetchPlan, _ navigator: Navigator, _ control: FetchControl
    ) throws(StoreError) -> FetchedRows {
        var fetched = try matching(plan, navigator, control)
        guard !plan.sort.isEmpty || plan.limit > 0 || plan.offset > 0 else { return fetched }
        var order =
            plan.sort.isEmpty
            ? fetched.order ?? fetched.naturalOrder() : try RowSorter.order(fetched, plan, navigator, control)
        if plan.offset > 0 { order.removeFirst(min(plan.offset, order.count)) }
        if plan.limit > 0 { order = Array(order.prefix(plan.limit)) }
        fetched.order = order
        return fetched
    }

    func keys(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FoundKeys {
        let rows = try rows(plan, control)
        return withExtendedLifetime(rows) {
            Self.found(rows.references(), isMixed: plan.entities.count > 1)
        }
    }

    private static func found(_ rows: some Sequence<RowReference>, isMixed: Bool) -> FoundKeys {
        var found = FoundKeys()
        for row in rows {
            if isMixed { found.append(row.row.key, of: row.entityIndex) } else { found.append(row.row.key) }
        }
        return found
    }

    func count(_ plan: FetchPlan) throws(StoreError) -> Int {
        try rows(plan, FetchControl()).count
    }

    func rows(withKeys keys: [Int64], of entity: Int) throws(StoreError) -> FetchedRows {
        let root = sources[entity].rootIndex
        let found = lock.withLock { keys.compactMap { tables[root].rows[$0] } }
        return try copy(found.filter { $0.page.entityIndex == entity }, FetchControl())
    }

    /// Copies of the rows that meet the plan's condition, in key order.
    private func matching(
        _ plan: FetchPlan, _ navigator: Navigator, _ control: FetchControl
    ) throws(StoreError) -> FetchedRows {
        let rows = navigator.tables[plan.source.rootIndex].rows.values.filter { Self.matches($0, plan, navigator) }
            .sorted {
                $0.row.key < $1.row.key
            }
        try plan.predicate?.checkPatterns()
        return try copy(rows, control)
    }

    private static func matches(_ stored: StoredRow, _ plan: FetchPlan, _ navigator: Navigator) -> Bool {
        plan.includes(stored.page.entityIndex)
            && plan.predicate?.matches(stored.reference, plan.source.entity.layout, navigator) ?? true
    }

    /// Everything at one moment; follows relationships from row to row.
    struct Navigator: RowNavigator {
        fileprivate let tables: [Table]
        fileprivate let relationships: InMemoryRelationships
        fileprivate let sources: [ObjectIDSource]

        func withRelated<Result>(
            _ row: RowReference, _ relationship: ResolvedRelationship, _ body: ([RowReference]) -> Result
        ) -> Result {
            let rows = tables[sources[relationship.destination].rootIndex].rows
            if case .toOne(let field) = relationship.kind {
                let layout = row.page._withUnsafeGuaranteedRef { $0.source.model.entities[relationship.entity].layout }
                let key = layout.fields[field].reference(in: row.row)?.key
                return body(key.flatMap { rows[$0] }.map { [$0.reference] } ?? [])
            }
            let related = rows.values.filter { relationships.leads(relationship, from: row.row.key, to: $0.reference) }
            return body(related.map(\.reference))
        }
    }

    /// What there is now.
    var navigator: Navigator { lock.withLock { lockedNavigator } }

    private var lockedNavigator: Navigator {
        Navigator(tables: tables, relationships: relationships, sources: sources)
    }

    private func copy(_ rows: [StoredRow], _ control: FetchControl) throws(StoreError) -> FetchedRows {
        var filling = FetchedRowsBuilder()
        for (index, stored) in rows.enumerated() {
            let page = filling.page(for: stored.page.source)
            if page.count == 0 { try control.found(index) }
            page.copyRow(stored.reference, to: filling.appended(to: page, key: stored.row.key))
        }
        try control.found(rows.count)
        lock.withLock { counts.rows += rows.count }
        return filling.finish()
    }

    func reserveKeys(_ count: Int, of entity: Int) throws(StoreError) -> Int64 {
        lock.withLock { takeKeys(count, entity) }
    }

    private func takeKeys(_ count: Int, _ entity: Int) -> Int64 {
        let root = sources[entity].rootIndex
        defer { tables[root].nextKey += Int64(count) }
        return tables[root].nextKey
    }

    func relatedRows(to owner: Int64, by relationship: ResolvedRelationship) throws(StoreError) -> RelatedRows {
        let (candidates, related) = lock.withLock {
            (Array(tables[sources[relationship.destination].rootIndex].rows.values), relationships)
        }
        let family = sources[relationship.destination].model.hierarchy.families[relationship.destination]
        let found = candidates.filter { stored in
            family.contains(stored.page.entityIndex) && related.leads(relationship, from: owner, to: stored.reference)
        }
        let numbered = found.map { (number: related.number(relationship, owner, $0.row.key), stored: $0) }
            .sorted { ($0.number, $0.stored.row.key) < ($1.number, $1.stored.row.key) }
        return RelatedRows(
            rows: try copy(numbered.map(\.stored), FetchControl()),
            order: relationship.isOrdered ? numbered.map(\.number) : [])
    }

    func commit(_ changes: ChangeSet) throws(StoreError) -> PermanentKeys {
        if let metadata = changes.metadata { _ = try StoreMetadata.encode(metadata, over: nil) }
        lock.lock()
        defer { lock.unlock() }
        let conflicts = changes.entities.indices.flatMap { self.conflicts($0, changes.entities[$0]) }
        guard conflicts.isEmpty else {
            counts.conflicts += conflicts.count
            throw StoreError.conflict(conflicts)
        }
        let shared = constraintConflicts(changes)
        if !shared.isEmpty { throw StoreError.constraintConflict(shared) }
        let firstKeys = changes.entities.indices.map { entity in
            takeKeys(changes.entities[entity].inserts.count { $0.row.key < 0 }, entity)
        }
        let keys = PermanentKeys(changes, firstKeys: firstKeys)
        try checkReferences(changes, keys)
        if let metadata = changes.metadata { savedMetadata = metadata }
        for (entity, changes) in changes.entities.enumerated() { apply(changes, entity, keys) }
        relationships.apply(changes, keys)
        return keys
    }

    private func checkReferences(_ changes: ChangeSet, _ keys: PermanentKeys) throws(StoreError) {
        guard let model = sources.first?.model, SavedReferences.concern(changes, model) else { return }
        let tables = tables
        var check = InMemoryReferenceCheck(
            sources, changes, keys, relationships, model, stored: { tables[$0].rows[$1]?.reference },
            all: { tables[$0].rows.values.map(\.reference) })
        do throws(StoreError) {
            try check.run()
        } catch {
            counts.conflicts += error.conflicts.count
            throw error
        }
    }

    private func conflicts(_ entity: Int, _ changes: ChangeSet.EntityChanges) -> [MergeConflict] {
        let known = changes.updates.compactMap { Self.origin(ofChanged: $0, sources[entity].entity.layout) }
        return (known + changes.deletes).compactMap { old in
            let current = tables[sources[entity].rootIndex].rows[old.row.key]
            if current?.row.version == old.row.version { return nil }
            return MergeConflict(
                objectID: ManagedObjectID(source: sources[entity], key: old.row.key),
                oldVersion: Int(old.row.version), newVersion: current.map { Int($0.row.version) } ?? 0)
        }
    }

    private func constraintConflicts(_ changes: ChangeSet) -> [ConstraintConflict] {
        ConstraintClaims.all(changes, sources).enumerated().flatMap { position, claims in
            var holders: [ConstraintKey: ManagedObjectID] = [:]
            for key in claims.keys {
                guard let holder = uniqueValues.holder(of: key, at: position), !claims.leaving.contains(holder),
                    let stored = tables[claims.source.rootIndex].rows[holder]
                else { continue }
                holders[key] = ManagedObjectID(source: stored.page.source, key: holder)
            }
            return claims.conflicts(holders)
        }
    }

    /// The row that `update` replaces; nil when it was set to what it was before, which is neither saved nor a
    /// conflict.
    static func origin(ofChanged update: RowReference, _ layout: RowLayout) -> RowReference? {
        guard let origin = update.page._withUnsafeGuaranteedRef({ $0.origin(of: update.row) }),
            RowPage.differences(origin, update, layout) != 0
        else { return nil }
        return origin
    }

    private func apply(_ changes: ChangeSet.EntityChanges, _ entity: Int, _ keys: PermanentKeys) {
        let root = sources[entity].rootIndex
        var next = keys.firstKeys[entity]
        for insert in changes.inserts {
            let key = insert.row.key < 0 ? next : insert.row.key
            if insert.row.key < 0 { next += 1 }
            uniqueValues.insert(store(insert, key: key, version: 1, entity, keys))
        }
        for update in changes.updates {
            guard let origin = Self.origin(ofChanged: update, sources[entity].entity.layout) else { continue }
            uniqueValues.remove(origin)
            uniqueValues.insert(
                store(update, key: update.row.key, version: RowVersion.next(update.row.version), entity, keys))
        }
        for delete in changes.deletes {
            if let stored = tables[root].rows.removeValue(forKey: delete.row.key) {
                uniqueValues.remove(stored.reference)
            }
        }
        counts.rows += changes.inserts.count + changes.updates.count + changes.deletes.count
    }

    @discardableResult
    private func store(
        _ reference: RowReference, key: Int64, version: Int32, _ entity: Int, _ keys: PermanentKeys? = nil
    ) -> RowReference {
        let page = RowPage(writable: sources[entity], capacity: 1)
        let row = page.appendRow(key: key)
        page.copyRow(reference, to: row)
        row.version = version
        if let keys { page.layout.makePermanent(row, keys) }
        tables[sources[entity].rootIndex].rows[key] = StoredRow(page: page, row: row)
        return RowReference(page, row)
    }

    func delete(_ plan: FetchPlan, wantsKeys: Bool) throws(StoreError) -> BatchOutcome {
        let limited = plan.limit > 0 || plan.offset > 0 ? Set(try keys(plan, FetchControl()).keys) : nil
        let root = plan.source.rootIndex
        lock.lock()
        defer { lock.unlock() }
        let navigator = lockedNavigator
        let matching = tables[root].rows.values.filter { stored in
            limited?.contains(stored.row.key) ?? true && Self.matches(stored, plan, navigator)
        }
        try plan.predicate?.checkPatterns()
        for stored in matching {
            tables[root].rows[stored.row.key] = nil
            uniqueValues.remove(stored.reference)
        }
        return outcome(matching, plan, wantsKeys)
    }

    func update(_ plan: BatchUpdatePlan) throws(StoreError) -> BatchOutcome {
        lock.lock()
        defer { lock.unlock() }
        let navigator = lockedNavigator
        let matching = tables[plan.rows.source.rootIndex].rows.values.filter { Self.matches($0, plan.rows, navigator) }
        try plan.rows.predicate?.checkPatterns()
        for old in matching { replace(old, plan) }
        if let constraint = brokenConstraint(of: plan.rows.source) {
            for old in matching { tables[plan.rows.source.rootIndex].rows[old.row.key] = old }
            throw StoreError(
                .constraintConflict,
                "the batch update gives several \(constraint.entityName) objects the same "
                    + "\(constraint.attributes.joined(separator: ", ")), which must be unique; nothing was updated")
        }
        for old in matching { uniqueValues.remove(old.reference) }
        for old in matching {
            if let new = tables[plan.rows.source.rootIndex].rows[old.row.key] { uniqueValues.insert(new.reference) }
        }
        return outcome(matching, plan.rows, plan.wantsKeys)
    }

    private func outcome(_ rows: [StoredRow], _ plan: FetchPlan, _ wantsKeys: Bool) -> BatchOutcome {
        counts.rows += rows.count
        guard wantsKeys else { return BatchOutcome(count: rows.count) }
        let keys = Self.found(rows.lazy.map(\.reference), isMixed: plan.entities.count > 1)
        return BatchOutcome(count: rows.count, keys: keys.sorted())
    }

    /// A constraint that rows in the table of an entity do not keep.
    private func brokenConstraint(of source: ObjectIDSource) -> UniquenessConstraint? {
        let family = sources.filter { $0.rootIndex == source.rootIndex }
        for source in family {
            for constraint in source.entity.ownUniqueness {
                let entities = source.model.hierarchy.families[source.entityIndex]
                var seen = Set<ConstraintKey>()
                for row in tables[source.rootIndex].rows.values where entities.contains(row.page.entityIndex) {
                    if let key = constraint.key(of: row.reference), !seen.insert(key).inserted { return constraint }
                }
            }
        }
        return nil
    }

    private func replace(_ old: StoredRow, _ plan: BatchUpdatePlan) {
        let source = old.page.source
        store(old.reference, key: old.row.key, version: RowVersion.next(old.row.version), source.entityIndex)
        guard let new = tables[source.rootIndex].rows[old.row.key] else { return }
        for (position, expression) in plan.assignments {
            let field = plan.layout.fields[position]
            let value = expression.evaluate(old.reference, plan.layout).stored(as: field.type)
            new.page.setValue(value, of: field, of: new.row)
        }
    }
}
