import Foundation

/// A store without a file: rows in memory, the same promises otherwise.
final class InMemoryStore: PersistentStore, @unchecked Sendable {
    // Unchecked: what can change is only touched with the lock held; rows are never changed, only replaced.
    private struct Table {
        var rows: [Int64: StoredRow] = [:]
        var nextKey: Int64 = 1
    }

    /// A row and the page that it keeps alive.
    private struct StoredRow {
        let page: RowPage
        let row: RowPointer
        var reference: RowReference { RowReference(page, row) }
    }

    let identifier = UUID()
    let url: URL? = nil
    let sources: [ObjectIDSource]
    private let lock = Lock()
    private var tables: [Table]
    private var savedMetadata: [String: StoredValue] = [:]
    private var counts = StoreStatistics()

    init(model: ManagedObjectModel) {
        let identifier = identifier
        sources = model.entities.enumerated().map {
            ObjectIDSource(storeIdentifier: identifier, entity: $1, entityIndex: $0)
        }
        tables = sources.map { _ in Table() }
    }

    var metadata: [String: StoredValue] { lock.withLock { savedMetadata } }
    var statistics: StoreStatistics { lock.withLock { counts } }
    func resetStatistics() { lock.withLock { counts = StoreStatistics() } }
    func checkpoint() {}
    func close() {}

    func rows(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows {
        var fetched = try matching(plan, control)
        guard !plan.sort.isEmpty || plan.limit > 0 || plan.offset > 0 else { return fetched }
        let layout = plan.source.entity.layout
        let natural = FetchedRows(pages: fetched.pages)
        var order =
            plan.sort.isEmpty
            ? natural.naturalOrder() : try RowSorter.order(natural, by: plan.sort, layout, control)
        if plan.offset > 0 { order.removeFirst(min(plan.offset, order.count)) }
        if plan.limit > 0 { order = Array(order.prefix(plan.limit)) }
        fetched.order = order
        return fetched
    }

    func keys(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> [Int64] {
        let rows = try rows(plan, control)
        return withExtendedLifetime(rows) { rows.references().map(\.row.key) }
    }

    func count(_ plan: FetchPlan) throws(StoreError) -> Int {
        try rows(plan, FetchControl()).count
    }

    func rows(withKeys keys: [Int64], of entity: Int) throws(StoreError) -> FetchedRows {
        let found = lock.withLock { keys.compactMap { tables[entity].rows[$0] } }
        return try copy(found, sources[entity], FetchControl())
    }

    /// Copies of the rows that meet the plan's condition, in key order.
    private func matching(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows {
        let rows = lock.withLock { tables[plan.source.entityIndex].rows.values.sorted { $0.row.key < $1.row.key } }
        let layout = plan.source.entity.layout
        guard let predicate = plan.predicate else { return try copy(rows, plan.source, control) }
        return try copy(rows.filter { predicate.matches($0.reference, layout) }, plan.source, control)
    }

    private func copy(
        _ rows: [StoredRow], _ source: ObjectIDSource, _ control: FetchControl
    ) throws(StoreError) -> FetchedRows {
        var fetched = FetchedRows()
        for (index, stored) in rows.enumerated() {
            if fetched.pages.last?.isFull ?? true {
                fetched.pages.append(RowPage(source))
                try control.found(index)
            }
            let page = fetched.pages[fetched.pages.count - 1]
            page.copyRow(stored.reference, to: page.appendRow(key: stored.row.key))
        }
        try control.found(rows.count)
        lock.withLock { counts.rows += rows.count }
        return fetched
    }

    func reserveKeys(_ count: Int, of entity: Int) throws(StoreError) -> Int64 {
        lock.withLock { takeKeys(count, entity) }
    }

    private func takeKeys(_ count: Int, _ entity: Int) -> Int64 {
        defer { tables[entity].nextKey += Int64(count) }
        return tables[entity].nextKey
    }

    func commit(_ changes: ChangeSet) throws(StoreError) -> [Int64] {
        if let metadata = changes.metadata { _ = try StoreMetadata.encode(metadata, over: nil) }
        lock.lock()
        defer { lock.unlock() }
        let conflicts = changes.entities.indices.flatMap { self.conflicts($0, changes.entities[$0]) }
        guard conflicts.isEmpty else {
            counts.conflicts += conflicts.count
            throw StoreError.conflict(conflicts)
        }
        if let metadata = changes.metadata { savedMetadata = metadata }
        return changes.entities.indices.map { apply(changes.entities[$0], $0) }
    }

    private func conflicts(_ entity: Int, _ changes: ChangeSet.EntityChanges) -> [MergeConflict] {
        let known = changes.updates.compactMap { Self.origin(ofChanged: $0, sources[entity].entity.layout) }
        return (known + changes.deletes).compactMap { old in
            let current = tables[entity].rows[old.row.key]
            if current?.row.version == old.row.version { return nil }
            return MergeConflict(
                objectID: ManagedObjectID(source: sources[entity], key: old.row.key),
                oldVersion: Int(old.row.version), newVersion: current.map { Int($0.row.version) } ?? 0)
        }
    }

    /// The row that `update` replaces; nil when it was set to what it was before, which is neither saved nor a conflict.
    private static func origin(ofChanged update: RowReference, _ layout: RowLayout) -> RowReference? {
        guard let origin = update.page._withUnsafeGuaranteedRef({ $0.origin(of: update.row) }),
            RowPage.differences(origin, update, layout) != 0
        else { return nil }
        return origin
    }

    private func apply(_ changes: ChangeSet.EntityChanges, _ entity: Int) -> Int64 {
        let first = takeKeys(changes.inserts.count { $0.row.key < 0 }, entity)
        var next = first
        for insert in changes.inserts {
            let key = insert.row.key < 0 ? next : insert.row.key
            if insert.row.key < 0 { next += 1 }
            store(insert, key: key, version: 1, entity)
        }
        for update in changes.updates where Self.origin(ofChanged: update, sources[entity].entity.layout) != nil {
            store(update, key: update.row.key, version: update.row.version + 1, entity)
        }
        for delete in changes.deletes { tables[entity].rows[delete.row.key] = nil }
        counts.rows += changes.inserts.count + changes.updates.count + changes.deletes.count
        return first
    }

    private func store(_ reference: RowReference, key: Int64, version: Int32, _ entity: Int) {
        let page = RowPage(writable: sources[entity], capacity: 1)
        let row = page.appendRow(key: key)
        page.copyRow(reference, to: row)
        row.version = version
        tables[entity].rows[key] = StoredRow(page: page, row: row)
    }

    func delete(_ plan: FetchPlan, wantsKeys: Bool) throws(StoreError) -> BatchOutcome {
        let limited = plan.limit > 0 || plan.offset > 0 ? Set(try keys(plan, FetchControl())) : nil
        let (entity, layout) = (plan.source.entityIndex, plan.source.entity.layout)
        lock.lock()
        defer { lock.unlock() }
        let matching = tables[entity].rows.values.filter { stored in
            limited?.contains(stored.row.key) ?? true && plan.predicate?.matches(stored.reference, layout) ?? true
        }
        let keys = matching.map(\.row.key)
        for key in keys { tables[entity].rows[key] = nil }
        counts.rows += keys.count
        return BatchOutcome(count: keys.count, keys: wantsKeys ? keys.sorted() : [])
    }

    func update(_ plan: BatchUpdatePlan) throws(StoreError) -> BatchOutcome {
        lock.lock()
        defer { lock.unlock() }
        guard let entity = sources.firstIndex(where: { $0.entity === plan.entity }) else {
            throw StoreError.unknownEntity(plan.entity.name, known: sources.map(\.entity.name))
        }
        let layout = plan.entity.layout
        let matching = tables[entity].rows.values.filter { plan.predicate?.matches($0.reference, layout) ?? true }
        for old in matching { replace(old, plan, entity) }
        counts.rows += matching.count
        return BatchOutcome(count: matching.count, keys: plan.wantsKeys ? matching.map(\.row.key).sorted() : [])
    }

    private func replace(_ old: StoredRow, _ plan: BatchUpdatePlan, _ entity: Int) {
        store(old.reference, key: old.row.key, version: old.row.version + 1, entity)
        guard let new = tables[entity].rows[old.row.key] else { return }
        for (position, expression) in plan.assignments {
            let field = plan.entity.layout.fields[position]
            let value = expression.evaluate(old.reference, plan.entity.layout).stored(as: field.type)
            new.page.setValue(value, of: field, of: new.row)
        }
    }
}

extension StoreError {
    static func conflict(_ conflicts: [MergeConflict]) -> StoreError {
        let first = conflicts.first.map { conflict in
            let change = conflict.newVersion == 0 ? "deleted" : "saved as version \(conflict.newVersion)"
            return
                ": \(conflict.objectID) was \(change) by somebody else after this context read version \(conflict.oldVersion)"
        }
        return StoreError(
            .mergeConflict,
            "\(conflicts.count) objects changed in the store since they were fetched\(first ?? "")"
                + "; refresh(_:mergeChanges:) them and save again",
            conflicts: conflicts)
    }
}
