import Foundation
import Locking

/// A store without a file: rows in memory, the same promises otherwise.
final class InMemoryStore: PersistentStore {
    private struct Counts {
        var rows = 0
        var conflicts = 0
    }

    let identifier = UUID()
    let url: URL? = nil
    let sources: [ObjectIDSource]
    private let contents: Locked<InMemoryContents>
    private let counts = Locked(Counts())

    init(model: ManagedObjectModel) {
        sources = ObjectIDSource.all(model, identifier)
        contents = Locked(InMemoryContents(sources, model))
    }

    var metadata: [String: StoredValue] { contents.withLock { $0.metadata } }
    var statistics: StoreStatistics {
        counts.withLock { StoreStatistics(rows: $0.rows, conflicts: $0.conflicts) }
    }
    func resetStatistics() { counts.exchange(Counts()) }
    func checkpoint() {}
    func close() {}
}

// MARK: - Reading

extension InMemoryStore {
    func rows(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows {
        try rows(plan, contents.value, control)
    }

    private func rows(
        _ plan: FetchPlan, _ contents: InMemoryContents, _ control: FetchControl
    ) throws(StoreError) -> FetchedRows {
        var fetched = try copy(try contents.matching(plan).sorted { $0.row.key < $1.row.key }, control)
        guard !plan.sort.isEmpty || plan.limit > 0 || plan.offset > 0 else { return fetched }
        var order =
            plan.sort.isEmpty
            ? fetched.order ?? fetched.naturalOrder() : try RowSorter.order(fetched, plan, contents, control)
        if plan.offset > 0 { order.removeFirst(min(plan.offset, order.count)) }
        if plan.limit > 0 { order = Array(order.prefix(plan.limit)) }
        fetched.order = order
        return fetched
    }

    func dictionaries(_ plan: DictionaryPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows {
        let contents = contents.value
        let rows = try rows(plan.rows, contents, control)
        return try withExtendedLifetime(rows) { () throws(StoreError) in
            try DictionaryEvaluator(plan: plan, control: control, navigator: contents).evaluate(rows)
        }
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
        try rows(plan, .uncontrolled).count
    }

    func rows(withKeys keys: [Int64], of entity: Int) throws(StoreError) -> FetchedRows {
        let found = contents.withLock { contents in keys.compactMap { contents.row($0, around: entity) } }
        return try copy(found.filter { $0.page.entityIndex == entity }, .uncontrolled)
    }

    func relatedRows(to owner: Int64, by relationship: ResolvedRelationship) throws(StoreError) -> RelatedRows {
        let contents = contents.value
        let numbered = contents.related(to: owner, by: relationship)
            .map { (number: contents.relationships.number(relationship, owner, $0.row.key), stored: $0) }
            .sorted { ($0.number, $0.stored.row.key) < ($1.number, $1.stored.row.key) }
        return RelatedRows(
            rows: try copy(numbered.map(\.stored), .uncontrolled),
            order: relationship.isOrdered ? numbered.map(\.number) : [])
    }

    func relatedLists(
        to owners: RelatedOwners, by relationship: ResolvedRelationship
    ) throws(StoreError) -> RelatedLists {
        let contents = contents.value
        let pairs = contents.pairs(relationship, of: owners)
        var lists = RelatedLists()
        lists.append(try copy(contents.members(pairs, relationship), .uncontrolled), pairs)
        return lists
    }

    private func copy(_ rows: [InMemoryContents.StoredRow], _ control: FetchControl) throws(StoreError) -> FetchedRows {
        var filling = FetchedRowsBuilder()
        for (index, stored) in rows.enumerated() {
            let page = filling.page(for: stored.page.source)
            if page.count == 0 { try control.found(index) }
            page.copyRow(stored.reference, to: filling.appended(to: page, key: stored.row.key))
        }
        try control.found(rows.count)
        counts.withLock { $0.rows += rows.count }
        return filling.finish()
    }
}

// MARK: - Writing

extension InMemoryStore {
    func reserveKeys(_ count: Int, of entity: Int) throws(StoreError) -> Int64 {
        contents.withLock { $0.takeKeys(count, entity) }
    }

    func commit(_ changes: ChangeSet) throws(StoreError) -> PermanentKeys {
        if let metadata = changes.metadata { _ = try StoreMetadata.encode(metadata, over: nil) }
        do throws(StoreError) {
            let keys = try contents.withLock { contents throws(StoreError) in try contents.commit(changes) }
            let written = changes.entities.reduce(0) { $0 + $1.inserts.count + $1.updates.count + $1.deletes.count }
            counts.withLock { $0.rows += written }
            return keys
        } catch {
            counts.withLock { $0.conflicts += error.conflicts.count }
            throw error
        }
    }

    func update(_ plan: BatchUpdatePlan) throws(StoreError) -> BatchOutcome {
        let updated = try contents.withLock { contents throws(StoreError) in try contents.update(plan) }
        return outcome(updated, plan.rows, plan.wantsKeys)
    }

    func delete(_ plan: FetchPlan, wantsKeys: Bool) throws(StoreError) -> BatchOutcome {
        let limited = plan.limit > 0 || plan.offset > 0 ? Set(try keys(plan, .uncontrolled).keys) : nil
        let outcome = try contents.withLock { contents throws(StoreError) in
            let matching = try contents.matching(plan).filter { limited?.contains($0.row.key) ?? true }
            let found = Self.found(matching.lazy.map(\.reference), isMixed: plan.entities.count > 1).sorted()
            guard BatchDeletion.concernsOthers(plan.entities, of: plan.source.model) else {
                contents.remove(matching)
                return BatchOutcome(count: found.count, keys: wantsKeys ? found : FoundKeys())
            }
            var deletion = BatchDeletion(found, of: plan.source.entityIndex, in: plan.source.model)
            // All or nothing.
            var rest = contents
            let outcome = try deletion.run(on: &rest, wantsKeys: wantsKeys)
            contents = rest
            return outcome
        }
        counts.withLock { $0.rows += outcome.count }
        return outcome
    }

    private func outcome(
        _ rows: [InMemoryContents.StoredRow], _ plan: FetchPlan, _ wantsKeys: Bool
    ) -> BatchOutcome {
        counts.withLock { $0.rows += rows.count }
        guard wantsKeys else { return BatchOutcome(count: rows.count) }
        let keys = Self.found(rows.lazy.map(\.reference), isMixed: plan.entities.count > 1)
        return BatchOutcome(count: rows.count, keys: keys.sorted())
    }
}
