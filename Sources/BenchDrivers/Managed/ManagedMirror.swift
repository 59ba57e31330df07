import BenchHarness
import DriverSupport
import Foundation
import ManagedStore

/// The main-queue context of a merge: it holds the objects that writers will change, and those that they insert.
///
/// Unchecked because only the main queue uses its objects.
final class ManagedMirror<Mapping: ObjectMapping>: ContextRecords, @unchecked Sendable {
    let context: ManagedObjectContext
    private let mapping: Mapping
    private var held = KeyedRecords<ManagedObjectID, Mapping.Object>()
    private let storeURI: String

    /// Loads every object that `plan` changes or deletes.
    init(_ mapping: Mapping, _ coordinator: PersistentStoreCoordinator, _ plan: MergePlan) throws {
        self.mapping = mapping
        context = ManagedObjectContext(concurrencyType: .mainQueue, coordinator: coordinator)
        storeURI = "x-coredata://\(coordinator.storeIdentifier?.uuidString ?? "")/\(mapping.description.name)/p"
        let ids = plan.writers.joined().flatMap { objectIDs($0.changes) + objectIDs($0.deletes) }
        try context.performAndWait {
            let request = FetchRequest<Mapping.Object>(entity: mapping.description, predicate: .objectID(in: ids))
            for object in try context.fetch(request) { held[object.objectID] = object }
        }
    }

    /// Returns the IDs of seeded records: the key of record `n` is `n + 1`.
    func objectIDs(_ ordinals: Range<Int>) -> [ManagedObjectID] {
        ordinals.compactMap { ordinal in
            URL(string: storeURI + String(ordinal + 1)).flatMap {
                context.persistentStoreCoordinator.managedObjectID(forURIRepresentation: $0)
            }
        }
    }

    /// Merges a save: holds the inserted objects and releases the deleted ones. Call it on the main queue.
    func merge(_ message: ContextDidSave) throws {
        try context.mergeChanges(fromContextDidSave: message)
        for id in message.insertedObjectIDs {
            held[id] = context.object(with: id) as? Mapping.Object
        }
        for id in message.deletedObjectIDs { held[id] = nil }
    }

    var count: Int { context.performAndWait { held.count } }

    func digest(_ positions: Range<Int>, into digester: inout RecordDigester) {
        context.performAndWait {
            var objects: [Mapping.Object] = []
            objects.reserveCapacity(positions.count)
            held.forEach(at: positions) { objects.append($0) }
            mapping.digest(objects[...], into: &digester)
        }
    }
}
