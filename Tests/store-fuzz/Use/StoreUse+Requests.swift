import Dispatch
import Foundation
import ManagedStore
import TestSupport

/// Batch requests, asynchronous fetches, and what brings objects up to date.
extension StoreUse {
    var requests: [Step] {
        [
            ("update in a batch", updateInBatch), ("insert in a batch", insertInBatch),
            ("delete in a batch", deleteInBatch),
            ("fetch asynchronously", fetchAsynchronously),
        ]
    }

    var sharedSteps: [Step] {
        [
            ("refresh", refresh), ("merge", merge),
            ("checkpoint", { context throws(StoreError) in try context.persistentStoreCoordinator.checkpoint() }),
        ]
    }

    private func updateInBatch(_ context: ManagedObjectContext) throws(StoreError) {
        for (entity, set) in [
            ("Book", ["large": .attribute("large") + 1, "text": "batch", "real": .attribute("real") * 2]),
            ("Holder", ["number": .attribute("number") - 1]), ("Asset", ["code": nil]), ("Tag", ["name": "same"]),
        ] as [(String, [String: BatchExpression])] {
            step("update \(entity) in a batch") { () throws(StoreError) in
                var request = BatchUpdateRequest(entityName: entity, set: set)
                request.resultType = random.pick([.statusOnly, .updatedObjectIDs, .updatedObjectsCount])
                request.includesSubentities = random.oneIn(2)
                _ = try context.execute(request)
            }
        }
    }

    private func insertInBatch(_ context: ManagedObjectContext) throws(StoreError) {
        for entity in ["Atlas", "Chart", "Holder", "Tag"] {
            step("insert \(entity) in a batch") { () throws(StoreError) in
                var request = BatchInsertRequest(
                    entityName: entity, objects: (0..<5).map { ["name": "batch \(entity) \($0)"] })
                request.resultType = random.pick([.statusOnly, .objectIDs, .count])
                _ = try context.execute(request)
            }
        }
    }

    private func deleteInBatch(_ context: ManagedObjectContext) throws(StoreError) {
        for entity in ["Cover", "Chart", "Holder"] {
            step("delete \(entity) in a batch") { () throws(StoreError) in
                var request = FetchRequest<ManagedObject>(entityName: entity)
                request.fetchLimit = 2
                if random.oneIn(2) {
                    _ = try context.execute(BatchDeleteRequest(objectIDs: try context.fetchObjectIDs(request)))
                } else {
                    _ = try context.execute(BatchDeleteRequest(fetchRequest: request))
                }
            }
        }
    }

    private func fetchAsynchronously(_ context: ManagedObjectContext) throws(StoreError) {
        let queued = ManagedObjectContext(
            concurrencyType: .privateQueue, coordinator: context.persistentStoreCoordinator)
        for entity in entities(context) {
            let delivered = DispatchSemaphore(value: 0)
            let request = FetchRequest<ManagedObject>(
                entityName: entity.name,
                sortDescriptors: entity.attributes.prefix(1).map { FetchSortDescriptor(key: $0.name) })
            let isCancelled = random.oneIn(4)
            step("fetch \(entity.name) asynchronously") { () throws(StoreError) in
                let outcome = queued.performAndWait {
                    () -> Result<AsynchronousFetchResult<ManagedObject>, StoreError> in
                    Result { () throws(StoreError) in
                        try queued.execute(
                            AsynchronousFetchRequest(fetchRequest: request) { result in
                                for object in result.finalResult ?? [] { _ = try? object.value(forKey: "name") }
                                delivered.signal()
                            })
                    }
                }
                let result = try outcome.get()
                if isCancelled { result.cancel() }
                delivered.wait()
            }
        }
    }

    private func refresh(_ context: ManagedObjectContext) throws(StoreError) {
        for entity in entities(context) where entity.superentity == nil {
            let found = try objects(entity.name, context)
            context.stalenessInterval = random.oneIn(2) ? 0 : -1
            for object in found.prefix(5) {
                step("refresh \(object)") { () throws(StoreError) in
                    try context.refresh(object, mergeChanges: random.oneIn(2))
                    for attribute in object.entity.attributes { _ = try object.value(forKey: attribute.name) }
                }
            }
            try context.refreshAllObjects()
        }
        context.reset()
    }

    /// Another context deletes rows and changes what they refer to; the context is told.
    private func merge(_ context: ManagedObjectContext) throws(StoreError) {
        let holders = try objects("Holder", context)
        let ids = ObjectIDSet(holders.map(\.objectID))
        if random.oneIn(2) {
            let raw = try? RawConnection(url)
            raw?.attempt(
                "DELETE FROM ZHOLDER WHERE Z_PK % 3 = 0; UPDATE ZHOLDER SET ZBOSS = Z_PK + 1, Z_OPT = Z_OPT + 1")
        }
        let changes = ObjectIDChanges(updated: ids)
        try ManagedObjectContext.mergeChanges(changes, into: [context])
        for holder in holders where holder.managedObjectContext != nil {
            for relationship in holder.entity.relationships { _ = try holder.value(forKey: relationship.name) }
        }
    }
}
