import BenchHarness
import Foundation
import ManagedStore

/// What keeps ManagedStore from doing a phase on a copy of a file, as far as the file tells beforehand. What else is
/// wrong with the file, its copy tells.
struct OriginObstacle {
    private let schema: Schema
    private let file: URL
    private let phase: Phase

    /// Nil for a phase on another store.
    init?(_ phase: Phase, _ schema: Schema) {
        guard let file = phase.file else { return nil }
        self.schema = schema
        self.file = URL(fileURLWithPath: file)
        self.phase = phase
    }

    private var entity: EntitySpec { schema.entity.record }

    /// Why the phase cannot be done; nil if it can.
    var reason: String? {
        guard let connection = try? ForeignFile(file).connect() else { return nil }
        return (try? decimals(connection)) ?? (try? derivedAttribute(connection)) ?? (try? keptRecords(connection))
    }

    /// ManagedStore reads decimal numbers as such, of which a scenario has none.
    private func decimals(_ connection: PlainConnection) throws -> String? {
        let name = RecordTable.column(called: entity.name)
        let columns = try StoredTable.all(connection).first { $0.name == name }?.columns ?? []
        let decimals = Set(columns.filter { $0.declared.hasPrefix("DECIMAL") }.map(\.name))
        return entity.attributes.first { decimals.contains(RecordTable.column(called: $0.name)) }.map {
            "the file has decimal numbers in \($0.name), a type that no attribute of a scenario has; leave it out"
        }
    }

    /// ManagedStore leaves attributes that triggers derive to them.
    private func derivedAttribute(_ connection: PlainConnection) throws -> String? {
        guard let work = phase.work.as(UpdateWork.self) else { return nil }
        let derived = try StoredTable.columnsOfTriggers(connection)
        let table = RecordTable.column(called: entity.name)
        return work.set.map(\.attribute).first { derived.contains("\(table).\(RecordTable.column(called: $0))") }.map {
            "triggers of the file derive \($0); leave it out of set"
        }
    }

    // MARK: - Records that stay

    /// ManagedStore refuses to delete records one by one to which relationships outside of the scenario lead, which
    /// would lead nowhere then.
    private func keptRecords(_ connection: PlainConnection) throws -> String? {
        guard let work = phase.work.as(DeleteWork.self), work.mode == .perObject else { return nil }
        // Phases before this one may have changed which records those are.
        let fetch = phase.from == .file ? work.fetch : FetchWork(mode: .sync)
        return try column(keepingRecordsOf: fetch, model(connection)).map {
            "rows of the file may refer to records that it deletes, by \($0), a relationship outside of the scenario; "
                + "a deletion with the mode batch does not look for such rows"
        }
    }

    private func column(keepingRecordsOf fetch: FetchWork, _ model: ManagedObjectModel) throws -> String? {
        let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(.sqlite, at: file, options: SQLiteStoreOptions(isReadOnly: true))
        let context = ManagedObjectContext(concurrencyType: .privateQueue, coordinator: coordinator)
        let ids = try context.performAndWait { try context.fetchObjectIDs(request(fetch)) }
        let column = try coordinator.columnKeeping(ids)
        try coordinator.removePersistentStore()
        return column
    }

    /// The model of a session of the copy.
    private func model(_ connection: PlainConnection) throws -> ManagedObjectModel {
        // The file may lack the attributes of other entities, which no phase reads.
        let entities = schema.roots.map {
            FieldsMapping(schema.focused(on: $0), hasAttributes: $0 == schema.focus).description
        }
        return try ManagedObjectModel(entities: entities + StoredEntities(connection).subentities(of: entities))
    }

    private func request(_ fetch: FetchWork) -> FetchRequest<ManagedObject> {
        var request = FetchRequest<ManagedObject>(
            entityName: entity.name, predicate: fetch.filter.map { FetchPredicate($0) })
        request.sortDescriptors = fetch.sort.map { FetchSortDescriptor(key: $0.key, ascending: $0.ascending) }
        request.fetchLimit = fetch.limit
        return request
    }
}
