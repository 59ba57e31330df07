import Foundation
import ManagedStore
import Testing

/// What a request is before anything is set.
@Suite struct RequestDefaultsTests {
    @Test func aFetchRequestHasCoreDatasDefaults() {
        let request = FetchRequest(Item.self)
        #expect(request.entityName == "Item" && request.predicate == nil && request.sortDescriptors.isEmpty)
        #expect(request.fetchLimit == 0 && request.fetchOffset == 0 && request.resultType == .managedObject)
        #expect(request.includesPendingChanges && request.includesSubentities && request.returnsObjectsAsFaults)
        #expect(!request.shouldRefreshRefetchedObjects && request.fetchBatchSize == 0)
    }

    @Test func aBatchUpdateHasCoreDatasDefaults() {
        let request = BatchUpdateRequest(Item.self)
        #expect(request.predicate == nil && request.propertiesToUpdate.isEmpty && request.includesSubentities)
        #expect(request.resultType == .statusOnly)
    }

    @Test func otherBatchRequestsHandBackNothingUnlessAsked() {
        #expect(BatchDeleteRequest(fetchRequest: FetchRequest(Item.self)).resultType == .statusOnly)
        #expect(BatchInsertRequest(entityName: "Item", objects: []).resultType == .statusOnly)
    }

    @Test func anAsynchronousFetchExpectsNothing() {
        let request = AsynchronousFetchRequest(fetchRequest: FetchRequest(Item.self))
        #expect(request.estimatedResultCount == 0 && !request.countsBeforehand && request.completionBlock == nil)
    }
}
