import BenchHarness
import DriverSupport
import ManagedStore

/// The main-queue context of a merge: it holds the objects that writers will change, and those that they insert.
///
/// Unchecked because only the main queue uses its objects.
final class ManagedMirror<Mapping: ObjectMapping>: ContextRecords, @unchecked Sendable {
    let context: ManagedObjectContext
    private let mapping: Mapping
    private var held = KeyedRecords<ManagedObjectID, ManagedObject>()
    /// The IDs of the records in the ranges of the plan, which an application would have with its objects.
    private var ids: [Range<Int>: [ManagedObjectID]] = [:]

    /// Loads every object that `plan` changes or deletes; `id` returns those of records.
    init(
        _ mapping: Mapping, _ coordinator: PersistentStoreCoordinator, _ plan: MergePlan,
        _ id: (_ ordinal: Int) -> ManagedObjectID?
    ) throws {
        self.mapping = mapping
        context = ManagedObjectContext(concurrencyType: .mainQueue, coordinator: coordinator)
        for save in plan.writers.joined() {
            for range in [save.changes, save.deletes] {
                ids[range] = range.compactMap(id)
            }
        }
        try context.performAndWait {
            let all = ids.values.flatMap { $0 }
            let request = FetchRequest<Mapping.Object>(entity: mapping.description, predicate: .objectID(in: all))
            for object in try context.fetch(request) { held[object.objectID] = object }
        }
    }

    /// Returns the IDs of the records in a range that the plan changes or deletes.
    func objectIDs(_ ordinals: Range<Int>) -> [ManagedObjectID] { ids[ordinals] ?? [] }

    /// Merges a save: holds the inserted objects and releases the deleted ones. Call it on the main queue.
    func merge(_ message: ContextDidSave) throws {
        try context.mergeChanges(fromContextDidSave: message)
        for id in message.insertedObjectIDs {
            held[id] = context.object(with: id)
        }
        for id in message.deletedObjectIDs { held[id] = nil }
    }

    var count: Int { context.performAndWait { held.count } }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        context.performAndWait {
            var objects: [Mapping.Object] = []
            objects.reserveCapacity(positions.count)
            held.forEach(at: positions) { object in
                if let object = object as? Mapping.Object { objects.append(object) }
            }
            mapping.digest(objects[...], into: &digester)
        }
    }
}
