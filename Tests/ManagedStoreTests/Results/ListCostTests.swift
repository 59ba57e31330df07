import Foundation
import ManagedStore
import Testing

/// What it costs a controller when one of many objects changes, in exact counts.
@Suite struct ListCostTests {
    private struct Cost: Equatable {
        let statements: Int
        let rows: Int
        var changes: [String]
    }

    private enum Change: CaseIterable {
        case here
        case merged
        case mergedUncached
    }

    /// What one change of an object in a list of `count` costs.
    private func cost(_ change: Change, of count: Int, _ backend: Backend) throws -> Cost {
        let store = try TestStore(backend)
        let ids = try store.seed(count)
        let (context, other) = (store.context(), store.context())
        if change == .mergedUncached { context.stalenessInterval = 0 }
        let controller = FetchedResultsController(
            fetchRequest: FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)]), managedObjectContext: context)
        let recorder = ListRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        let saves = NotificationRecorder(ManagedObjectContext.didSaveObjectsNotification, from: other)
        if change != .here {
            try other.item(ids[3]).createdAt = Date(timeIntervalSinceReferenceDate: -1)
            try other.save()
        }
        store.coordinator.resetStatistics()
        if change == .here {
            try context.item(ids[3]).createdAt = Date(timeIntervalSinceReferenceDate: -1)
            context.processPendingChanges()
        } else {
            try context.mergeChanges(fromContextDidSave: try #require(saves.notifications.first))
        }
        let spent = store.coordinator.statistics
        #expect(controller.fetchedObjects?.first?.objectID == ids[3])
        return Cost(statements: spent.statements ?? 0, rows: spent.rows ?? 0, changes: recorder.take())
    }

    @Test(arguments: Backend.allCases) func aChangeHereReadsNothing(_ backend: Backend) throws {
        let few = try cost(.here, of: 10, backend)
        #expect(few == Cost(statements: 0, rows: 0, changes: ["will", "move", "did"]))
        #expect(try cost(.here, of: 5_000, backend) == few)
    }

    @Test(arguments: Backend.allCases) func aMergedChangeReadsOneRowAtMost(_ backend: Backend) throws {
        for change in [Change.merged, .mergedUncached] {
            let few = try cost(change, of: 10, backend)
            #expect(few.statements <= 1 && few.rows <= 1 && few.changes == ["will", "move", "did"])
            #expect(try cost(change, of: 5_000, backend) == few)
        }
    }
}
