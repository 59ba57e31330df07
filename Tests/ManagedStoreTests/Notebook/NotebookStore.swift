import Foundation

@testable import ManagedStore

/// A backing store of a third kind, added as any other would be: a property list, read when the store is opened and
/// written whole by every save.
///
/// It keeps attributes and versions, and finds rows by the conditions and orders that there are. It does not offer
/// relationships, uniqueness constraints and batch updates, and says so.
final class NotebookStore: PersistentStore, @unchecked Sendable {
    // Unchecked: what can change is only touched with the lock held; rows are never changed, only replaced.
    let identifier: UUID
    let url: URL?
    let sources: [ObjectIDSource]
    private let file: NotebookFile
    private let lock = NSLock()
    private var content: NotebookContent
    private var counts = StoreStatistics(rows: 0, conflicts: 0)

    init(_ url: URL, _ model: ManagedObjectModel, _ options: NotebookOptions) throws(StoreError) {
        try Self.checkSupport(of: model)
        file = NotebookFile(url: url, format: options.format)
        let known = try file.identifier()
        identifier = known ?? UUID()
        self.url = url
        sources = ObjectIDSource.all(model, identifier)
        content = try known == nil ? NotebookContent() : file.content(sources)
        if known == nil { try file.write(content, identifier, sources) }
    }

    private static func checkSupport(of model: ManagedObjectModel) throws(StoreError) {
        for entity in model.entities {
            if let relationship = entity.relationships.first {
                throw StoreError.unsupported(
                    "relationships, such as \(entity.name).\(relationship.name)", by: .notebook)
            }
            if let constraint = entity.uniquenessConstraints.first {
                throw StoreError.unsupported(
                    "uniqueness constraints, such as \(entity.name).\(constraint.joined(separator: "+"))",
                    by: .notebook)
            }
        }
    }

    private var current: NotebookContent { lock.withLock { content } }

    var metadata: [String: StoredValue] { current.metadata }
    /// Rows that are written or handed out, and conflicts.
    var statistics: StoreStatistics { lock.withLock { counts } }
    func resetStatistics() { lock.withLock { counts = StoreStatistics(rows: 0, conflicts: 0) } }
    func checkpoint() {}
    func close() {}
}

// MARK: - Reading

extension NotebookStore {
    func rows(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows {
        var fetched = try copies(matching(plan), control)
        guard !plan.sort.isEmpty || plan.limit > 0 || plan.offset > 0 else { return fetched }
        var order =
            plan.sort.isEmpty
            ? fetched.order ?? fetched.naturalOrder()
            : try RowSorter.order(fetched, by: plan.sort, plan.source.entity.layout, control)
        order.removeFirst(min(plan.offset, order.count))
        if plan.limit > 0 { order = Array(order.prefix(plan.limit)) }
        fetched.order = order
        return fetched
    }

    /// In the order of their keys.
    private func matching(_ plan: FetchPlan) throws(StoreError) -> [NotebookRow] {
        let rows = current.rows[plan.source.rootIndex, default: [:]].values.filter { row in
            plan.includes(row.page.entityIndex)
                && plan.predicate?.matches(row.reference, plan.source.entity.layout) ?? true
        }
        try plan.predicate?.checkPatterns()
        return rows.sorted { $0.row.key < $1.row.key }
    }

    private func copies(_ rows: [NotebookRow], _ control: FetchControl) throws(StoreError) -> FetchedRows {
        var builder = FetchedRowsBuilder()
        for (index, stored) in rows.enumerated() {
            let page = builder.page(for: stored.page.source)
            if page.count == 0 { try control.found(index) }
            page.copyRow(stored.reference, to: builder.appended(to: page, key: stored.row.key))
        }
        try control.found(rows.count)
        lock.withLock { counts = counts + StoreStatistics(rows: rows.count, conflicts: 0) }
        return builder.finish()
    }

    func keys(_ plan: FetchPlan, _ control: FetchControl) throws(StoreError) -> FoundKeys {
        let rows = try rows(plan, control)
        return withExtendedLifetime(rows) { found(rows.references(), plan) }
    }

    private func found(_ rows: [RowReference], _ plan: FetchPlan) -> FoundKeys {
        var found = FoundKeys()
        for row in rows {
            if plan.entities.count > 1 {
                found.append(row.row.key, of: row.entityIndex)
            } else {
                found.append(row.row.key)
            }
        }
        return found
    }

    func count(_ plan: FetchPlan) throws(StoreError) -> Int { try rows(plan, FetchControl()).count }

    func rows(withKeys keys: [Int64], of entity: Int) throws(StoreError) -> FetchedRows {
        let rows = current.rows[sources[entity].rootIndex, default: [:]]
        return try copies(keys.compactMap { rows[$0] }.filter { $0.page.entityIndex == entity }, FetchControl())
    }

    func dictionaries(_ plan: DictionaryPlan, _ control: FetchControl) throws(StoreError) -> FetchedRows {
        let rows = try rows(plan.rows, control)
        return try withExtendedLifetime(rows) { () throws(StoreError) in
            try DictionaryEvaluator(plan: plan, control: control, navigator: NoNavigator()).evaluate(rows)
        }
    }

    func relatedLists(
        to owners: RelatedOwners, by relationship: ResolvedRelationship
    ) throws(StoreError) -> RelatedLists {
        throw StoreError.unsupported("relationships", by: .notebook)
    }

    func relatedRows(to owner: Int64, by relationship: ResolvedRelationship) throws(StoreError) -> RelatedRows {
        throw StoreError.unsupported("relationships", by: .notebook)
    }
}

/// There are no relationships to follow.
private struct NoNavigator: RowNavigator {
    func withRelated<Result>(
        _ row: RowReference, _ relationship: ResolvedRelationship, _ body: ([RowReference]) -> Result
    ) -> Result { body([]) }
}

// MARK: - Writing

extension NotebookStore {
    func reserveKeys(_ count: Int, of entity: Int) throws(StoreError) -> Int64 {
        lock.lock()
        defer { lock.unlock() }
        var next = content
        let first = next.takeKeys(count, sources[entity])
        try replace(by: next)
        return first
    }

    func commit(_ changes: ChangeSet) throws(StoreError) -> PermanentKeys {
        if let metadata = changes.metadata { _ = try StoreMetadata.encode(metadata, over: nil) }
        lock.lock()
        defer { lock.unlock() }
        var next = content
        let found = next.conflicts(changes, sources)
        guard found.isEmpty else {
            counts = counts + StoreStatistics(rows: 0, conflicts: found.count)
            throw StoreError.conflict(found)
        }
        let keys = try next.apply(changes, sources)
        try replace(by: next)
        let written = changes.entities.reduce(0) { $0 + $1.inserts.count + $1.updates.count + $1.deletes.count }
        counts = counts + StoreStatistics(rows: written, conflicts: 0)
        return keys
    }

    func update(_ plan: BatchUpdatePlan) throws(StoreError) -> BatchOutcome {
        throw StoreError.unsupported("batch updates", by: .notebook)
    }

    func delete(_ plan: FetchPlan, wantsKeys: Bool) throws(StoreError) -> BatchOutcome {
        let rows = try rows(plan, FetchControl())
        return try withExtendedLifetime(rows) { () throws(StoreError) in
            let references = rows.references()
            lock.lock()
            defer { lock.unlock() }
            var next = content
            for row in references { next.rows[plan.source.rootIndex]?[row.row.key] = nil }
            try replace(by: next)
            return BatchOutcome(
                count: references.count, keys: wantsKeys ? found(references, plan).sorted() : FoundKeys())
        }
    }

    /// With the lock held.
    private func replace(by next: NotebookContent) throws(StoreError) {
        try file.write(next, identifier, sources)
        content = next
    }
}

// MARK: - Its type and its options

struct NotebookOptions: PersistentStoreOptions {
    var format = PropertyListSerialization.PropertyListFormat.binary
}

extension PersistentStoreCoordinator.StoreType {
    static let notebook = Self("Notebook") { opening throws(StoreError) in
        guard let url = opening.url else { throw StoreError(.invalidRequest, "a Notebook store needs a URL") }
        return try NotebookStore(url, opening.model, opening.options(or: NotebookOptions()))
    }
}
