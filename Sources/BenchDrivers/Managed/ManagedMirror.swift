import BenchHarness
import Foundation
import ManagedStore

/// The main-queue context of a merge: holds the objects that writers are about to change, and those that they insert.
///
/// Unchecked because its objects are only used on the main queue.
final class ManagedMirror<Record: ManagedRecord>: FetchedRecords, @unchecked Sendable {
    let context: ManagedObjectContext
    private let record: Record
    private var held: [ManagedObjectID: Record.Object] = [:]
    private let storeURI: String

    /// Loads every object that `plan` changes or deletes.
    init(_ record: Record, _ coordinator: PersistentStoreCoordinator, _ plan: MergePlan) throws {
        self.record = record
        context = ManagedObjectContext(concurrencyType: .mainQueue, coordinator: coordinator)
        storeURI = "x-coredata://\(coordinator.storeIdentifier?.uuidString ?? "")/\(record.description.name)/p"
        let ids = plan.writers.joined().flatMap { objectIDs($0.changes) + objectIDs($0.deletes) }
        try context.performAndWait {
            let request = FetchRequest<Record.Object>(entity: record.description, predicate: .objectID(in: ids))
            for object in try context.fetch(request) { held[object.objectID] = object }
        }
    }

    /// The IDs of seeded records: the `n`-th was given the key `n + 1`.
    func objectIDs(_ ordinals: Range<Int>) -> [ManagedObjectID] {
        ordinals.compactMap { ordinal in
            URL(string: storeURI + String(ordinal + 1)).flatMap {
                context.persistentStoreCoordinator.managedObjectID(forURIRepresentation: $0)
            }
        }
    }

    /// Merges a save, holding what it inserted and letting go of what it deleted. On the main queue.
    func merge(_ message: ContextDidSave) throws {
        try context.mergeChanges(fromContextDidSave: message)
        for id in message.insertedObjectIDs {
            held[id] = context.object(with: id) as? Record.Object
        }
        for id in message.deletedObjectIDs { held[id] = nil }
    }

    var count: Int { context.performAndWait { held.count } }

    func digest(into digester: inout RecordDigester) {
        context.performAndWait {
            for object in held.values {
                record.digest(object, into: &digester)
                digester.endRecord()
            }
        }
    }
}
