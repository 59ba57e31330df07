import Foundation
import ManagedStore
import Testing

@Suite struct LimitTests {
    private func request(limit: Int, offset: Int) -> FetchRequest<Item> {
        var request = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
        (request.fetchLimit, request.fetchOffset) = (limit, offset)
        return request
    }

    @Test(arguments: Backend.all, [(0, 0), (3, 0), (0, 7), (3, 4), (3, 9), (3, 10), (0, 50), (50, 0), (1, 1)])
    func limitAndOffsetCutASlice(_ backend: Backend, _ cut: (limit: Int, offset: Int)) throws {
        let store = try TestStore(backend)
        try store.seed(10)
        let context = store.context()
        let request = request(limit: cut.limit, offset: cut.offset)
        let rest = (0..<10).dropFirst(cut.offset)
        let expected = (cut.limit > 0 ? rest.prefix(cut.limit) : rest).map { "Item \($0)" }
        #expect(try context.fetch(request).map(\.name) == expected)
        #expect(try context.count(for: request) == expected.count)
        #expect(try context.fetchObjectIDs(request).map { try context.item($0).name } == expected)
    }

    @Test(arguments: Backend.all) func limitsApplyAfterUnsavedChanges(_ backend: Backend) throws {
        let (context, items) = try TestStore(backend).contextWithItems(10)
        context.delete(items[0])
        items[5].createdAt = Date(timeIntervalSinceReferenceDate: -1)
        Item("new", at: 1.5, in: context)
        #expect(
            try context.fetch(request(limit: 4, offset: 0)).map(\.name) == ["Item 5", "Item 1", "new", "Item 2"])
        #expect(try context.fetch(request(limit: 2, offset: 2)).map(\.name) == ["new", "Item 2"])
        #expect(try context.fetchObjectIDs(request(limit: 1, offset: 9)).count == 1)
        #expect(try context.count(for: request(limit: 0, offset: 4)) == 6)
    }

    @Test(arguments: Backend.all, [(Int.max, 1), (.max, .max), (.max, 0), (1, .max)])
    func theGreatestLimitsApplyToUnsavedChangesToo(_ backend: Backend, _ cut: (limit: Int, offset: Int)) throws {
        let (context, _) = try TestStore(backend).contextWithItems(3)
        Item("new", at: 10, in: context)
        let request = request(limit: cut.limit, offset: cut.offset)
        let expected = ["Item 0", "Item 1", "Item 2", "new"].dropFirst(cut.offset).prefix(cut.limit)
        #expect(try context.fetch(request).map(\.name) == Array(expected))
        #expect(try context.count(for: request) == expected.count)
        var batched = request
        batched.fetchBatchSize = .max
        #expect(try context.fetch(batched).map(\.name) == Array(expected))
        let child = try ManagedObjectContext(concurrencyType: .confinement, parent: context)
        #expect(try child.fetch(request).map(\.name) == Array(expected))
    }

    @Test func negativeLimitsAreRefused() throws {
        let context = try TestStore(.inMemory).context()
        expectError(.invalidRequest) { try context.fetch(request(limit: -1, offset: 0)) }
        expectError(.invalidRequest) { try context.count(for: request(limit: 0, offset: -1)) }
    }

    @Test(arguments: Backend.all) func resultTypesAgree(_ backend: Backend) throws {
        let store = try TestStore(backend)
        let ids = try store.seed(3)
        let context = store.context()
        var request = request(limit: 0, offset: 0)
        guard case .objects(let objects) = try context.execute(request) else { throw Mismatch() }
        request.resultType = .managedObjectID
        guard case .objectIDs(let found) = try context.execute(request) else { throw Mismatch() }
        request.resultType = .count
        guard case .count(let count) = try context.execute(request) else { throw Mismatch() }
        #expect(objects.map(\.objectID) == ids && found == ids && count == 3)
    }

    private struct Mismatch: Error {}
}
