import Foundation
import ManagedStore
import Testing

/// Several sequences of change sets of one controller.
@Suite struct ChangeSequenceTests {
    private func controller(_ context: ManagedObjectContext) -> FetchedResultsController<Item> {
        FetchedResultsController(
            fetchRequest: FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)]), managedObjectContext: context)
    }

    /// How many objects came with each change set.
    private func inserts(_ changes: AsyncStream<FetchedResultsChangeSet>) async -> [Int] {
        var counts: [Int] = []
        for await change in changes { counts.append(change.inserts.count) }
        return counts
    }

    private func insert(_ count: Int, in context: ManagedObjectContext) {
        for number in 0..<count { Item("\(number)", at: Double(number), in: context) }
        context.processPendingChanges()
    }

    @Test func eachGetsEveryChangeFromWhenItWasAskedForToTheEndOfTheController() async throws {
        let context = try TestStore(.inMemory).context()
        var controller: FetchedResultsController<Item>? = controller(context)
        try controller?.performFetch()
        let (first, second) = (try #require(controller?.changes), try #require(controller?.changes))
        insert(1, in: context)
        insert(2, in: context)
        let third = try #require(controller?.changes)
        insert(3, in: context)
        controller = nil
        insert(4, in: context)
        let counts = await [inserts(first), inserts(second), inserts(third)]
        #expect(counts == [[1, 2, 3], [1, 2, 3], [3]])
    }

    @Test func oneThatEndsLeavesTheOthersAlone() async throws {
        let context = try TestStore(.inMemory).context()
        let (controller, recorder) = (controller(context), ListRecorder())
        try controller.performFetch()
        var (short, long) = (Optional(controller.changes), Optional(controller.changes))
        insert(1, in: context)
        short = nil
        controller.delegate = recorder
        insert(2, in: context)
        var iterator = long?.makeAsyncIterator()
        let counts = [await iterator?.next()?.inserts.count, await iterator?.next()?.inserts.count]
        #expect(counts == [1, 2] && short == nil)
        #expect(recorder.take() == ["will", "insert", "insert", "did"])
        (iterator, long) = (nil, nil)
        insert(3, in: context)
        #expect(recorder.take() == ["will", "insert", "insert", "insert", "did"])
    }
}
