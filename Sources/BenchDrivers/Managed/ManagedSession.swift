import BenchHarness
import Dispatch
import Foundation
import ManagedStore

/// A session on ManagedStore: a private-queue context that seeds, fetches and updates, and for merges a main-queue
/// context beside the writers' own.
final class ManagedSession<Mapping: ObjectMapping>: FetchingSession, AsynchronousFetchingSession, InsertingSession,
    UpsertingSession, LinkingSession, DeletingSession, CountingSession, MergingSession, WatchingSession,
    CheckpointingSession
{
    let queue: DispatchQueue

    let mapping: Mapping
    let records: RecordGenerator
    let configuration: StoreConfiguration
    /// The mappings of the entities, by their places.
    let mappings: [any ObjectMapping]
    let stored: StoredObjects
    let coordinator: PersistentStoreCoordinator
    let context: ManagedObjectContext
    private var place: any ManagedPlace
    /// The objects that were loaded before the clock started.
    var prepared: [Mapping.Object] = []
    /// The IDs of the records that are fetched one by one, by their ordinals.
    var ids: [Int: ManagedObjectID] = [:]
    private var mirror: ManagedMirror<Mapping>?
    private var observer: ManagedSaveObserver<Mapping>?

    /// - Parameter mappings: The mappings of the entities, by their places, that of the session among them.
    init(
        _ configuration: StoreConfiguration, _ mapping: Mapping, _ mappings: [any ObjectMapping],
        in place: any ManagedPlace
    ) throws {
        self.place = place
        self.mapping = mapping
        self.mappings = mappings
        self.configuration = configuration
        records = configuration.records
        stored = StoredObjects(mappings, configuration)
        let entities = mappings.flatMap { [$0.description] + $0.subentities }
        let model = try ManagedObjectModel(entities: entities + place.subentities(of: entities))
        coordinator = PersistentStoreCoordinator(managedObjectModel: model)
        try place.addStore(to: coordinator)
        context = ManagedObjectContext(concurrencyType: .privateQueue, coordinator: coordinator)
        guard let queue = context.dispatchQueue else { preconditionFailure("a private-queue context has a queue") }
        self.queue = queue
        resetCounters()
    }

    // MARK: Work within the clock

    func insert(_ ordinals: Range<Int>) throws {
        try context.performAndWait {
            try makeObjects(ordinals, of: records)
            try context.save()
        }
    }

    /// Makes objects of records, which lead to those that the store has.
    private func makeObjects(_ ordinals: Range<Int>, of records: RecordGenerator) throws {
        _ = try mapping.insert(ordinals, of: records, in: context, keeps: false) { [stored, context] in
            try stored.object($0, $1, in: context)
        }
    }

    /// New objects hand their values to the stored ones with the same unique value, by the policy of the context.
    func upsert(_ ordinals: [Int], of records: RecordGenerator) throws {
        try context.performAndWait {
            context.mergePolicy = .overwrite
            defer { context.mergePolicy = .error }
            for ordinal in ordinals { try makeObjects(ordinal..<ordinal + 1, of: records) }
            try context.save()
        }
    }

    func fetch(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try context.performAndWait {
            if let names = work.attributes { return try fetchValues(of: names, work) }
            if let follow = work.follow { return try fetch(work, following: follow) }
            return FetchedObjects(mapping, try context.fetch(request(work)), in: context)
        }
    }

    /// Fetches values instead of objects: the idiom for a few attributes of many records.
    private func fetchValues(of names: [String], _ work: FetchWork) throws -> any FetchedRecords {
        var request = request(work)
        request.propertiesToFetch = names.map { .property($0) }
        return FetchedDictionaries(
            try context.fetchDictionaries(request), entity: records.entity.keeping(names))
    }

    func fetchAsynchronously(_ work: FetchWork, monitor: PhaseMonitor) throws -> any FetchedRecords {
        try ManagedAsynchronousFetch(mapping, context, monitor).run(request(work))
    }

    func update(_ work: UpdateWork, monitor: PhaseMonitor) throws {
        switch work.mode {
        case .perObject:
            try context.performAndWait {
                let change = try change(work.set, linking: work.links ?? [])
                for object in prepared { change(object) }
                try context.save()
            }
        case .chunked:
            try context.performAndWait {
                try updateInChunks(work, change(work.set, linking: work.links ?? []), monitor)
            }
        case .batch:
            let (entity, condition) = mapping.selection(work.filter)
            var request = BatchUpdateRequest(entityName: entity.name, set: ManagedChange.expressions(work.set))
            request.predicate = condition.map { FetchPredicate($0) }
            try context.performAndWait { _ = try context.execute(request) }
        }
    }

    /// Fetches the IDs first, then one slice of the objects after another. Thus no object is missed if a change makes
    /// objects match no longer, and only a slice is in memory at a time.
    private func updateInChunks(
        _ work: UpdateWork, _ change: (Mapping.Object) -> Void, _ monitor: PhaseMonitor
    ) throws {
        let ids = try context.fetchObjectIDs(request(filter: work.filter))
        let size = max(work.chunkSize, 1)
        let entity = mapping.selection(work.filter).entity
        for start in stride(from: 0, to: ids.count, by: size) {
            try monitor.operation {
                var request = FetchRequest<Mapping.Object>(entity: entity)
                request.predicate = .objectID(in: ids[start..<min(start + size, ids.count)])
                for object in try context.fetch(request) { change(object) }
                try context.save()
            }
        }
    }

    func delete(_ work: DeleteWork) throws {
        try context.performAndWait {
            do {
                switch work.mode {
                case .perObject:
                    context.delete(allOf: prepared)
                    try context.save()
                case .batch:
                    _ = try context.execute(BatchDeleteRequest(fetchRequest: request(work.fetch)))
                }
            } catch let error as StoreError where error.deniesDeletion {
                context.rollback()
                throw DeniedDeletion()
            }
        }
    }

    func count(_ work: CountWork) throws -> Int {
        try context.performAndWait { try context.count(for: request(filter: work.filter)) }
    }

    func merge(_ plan: MergePlan, monitor: PhaseMonitor) throws -> any FetchedRecords {
        guard let mirror else { throw DriverError(.invalidRequest, "merge needs prepareMerge") }
        let run = ManagedMergeRun(
            plan, mapping, records, stored, coordinator, mirror: mirror, change: try mapping.change(plan.set),
            monitor: monitor)
        try run.run()
        return mirror
    }

    func makeLoadWorker(_ index: Int, _ work: LoadWork) throws -> any LoadWorker {
        try ManagedLoadWorker(work, mapping, of: records.entity, stored, coordinator)
    }

    func endLoad() { observer?.waitForMerges() }

    func checkpoint() throws { try coordinator.checkpoint() }

    /// Returns the request for `work`.
    func request(_ work: FetchWork) -> FetchRequest<Mapping.Object> { request(work, of: mapping) }

    func request<Source: ObjectMapping>(_ work: FetchWork, of source: Source) -> FetchRequest<Source.Object> {
        var request = request(filter: work.filter, of: source)
        request.sortDescriptors = work.sort.map { FetchSortDescriptor(key: $0.key, ascending: $0.ascending) }
        request.fetchLimit = work.limit
        return request
    }

    func request(filter: FilterSpec?) -> FetchRequest<Mapping.Object> { request(filter: filter, of: mapping) }

    private func request<Source: ObjectMapping>(
        filter: FilterSpec?, of source: Source
    ) -> FetchRequest<Source.Object> {
        let (entity, condition) = source.selection(filter)
        return FetchRequest(entity: entity, predicate: condition.map { FetchPredicate($0) })
    }

    // MARK: Outside the clock

    func prepareUpdate(_ work: UpdateWork) throws {
        try context.performAndWait { prepared = try context.fetch(request(filter: work.filter)) }
    }

    func prepareDeletion(_ work: DeleteWork) throws {
        try context.performAndWait { prepared = try context.fetch(request(work.fetch)) }
    }

    func prepareMerge(_ plan: MergePlan) throws {
        mirror = try ManagedMirror(mapping, coordinator, plan) {
            stored.id(ofRecord: $0, configuration.schema.focus, coordinator)
        }
    }

    func prepareLoad(_ work: LoadWork, monitor: LoadMonitor) throws {
        guard let spec = work.saves, spec.mode != .unobserved else { return }
        let identity = try RecordIdentity(of: records.entity)
        let key = records.entity.attributes[identity.attribute].name
        let window: FetchPredicate? =
            spec.windowRecords == 0 || spec.window == .head
            ? nil : .compare(key, .less, identity.key(of: spec.windowRecords))
        observer = try ManagedSaveObserver(mapping, coordinator, spec, window: window, key: key, monitor: monitor)
    }

    func checkLoad() throws -> [String] { try observer?.problems() ?? [] }

    func forEachRecord(_ body: (StoredRecord) -> Void) throws {
        try place.inspector.forEachRecord(body)
    }

    func finish() {
        prepared = []
        ids = [:]
        mirror = nil
        observer?.end()
        observer = nil
        context.performAndWait {
            context.undoManager = nil
            context.reset()
        }
    }

    func scan(into digester: inout RecordDigester) throws {
        try place.inspector.scanValues(into: &digester)
    }

    func checkIntegrity() throws -> [String] { try place.inspector.checkIntegrity() }

    func settings() throws -> [StoreSettings] {
        try coordinator.settingsInForce().map { numbers in StoreSettings { numbers[$0].map { Int($0) } } }
    }

    func close() throws {
        finish()
        try coordinator.removePersistentStore()
    }

    // MARK: Counters

    func counters() throws -> StoreCounters {
        let counts = coordinator.statistics
        var counters = StoreCounters(
            statements: counts.statements, vmSteps: counts.vmSteps, rows: counts.rows,
            pagesWritten: counts.pagesWritten,
            conflicts: counts.conflicts)
        place.fill(&counters)
        return counters
    }

    func resetCounters() {
        coordinator.resetStatistics()
        place.resetCounters()
    }
}

extension StoreError {
    /// Whether a delete rule alone has refused the changes.
    fileprivate var deniesDeletion: Bool {
        code == .validationMultipleErrors
            ? detailedErrors.allSatisfy(\.deniesDeletion) : code == .validationRelationshipDeniedDelete
    }
}
