import Foundation
import ManagedStore
import Testing

/// AsynchronousFetching.md.
@Suite struct AsynchronousFetchingSnippets {
    private let context: ManagedObjectContext

    init() throws {
        context = try SnippetStore(items: 3).context(.privateQueue)
    }

    @Test func fetchWithProgress() async throws {
        // snippet.AsynchronousFetching.first
        let fetchRequest = FetchRequest(Item.self, sortBy: [SortDescriptor(\.createdAt)])
        let request = AsynchronousFetchRequest(fetchRequest: fetchRequest) { result in
            show(result.finalResult ?? [])  // on the context's queue, once
        }
        let result = try await context.perform { [context] in try context.execute(request) }
        for await count in result.progressUpdates { print("Fetched \(count) records") }
        // snippet.end
        #expect(try await context.perform { result.finalResult?.count } == 3)
    }

    @Test func awaiting() async throws {
        // snippet.AsynchronousFetching.await
        let names = try await context.fetch(FetchRequest(Item.self)) { items in items.map(\.name) }
        // snippet.end
        #expect(Set(names) == ["Item 0", "Item 1", "Item 2"])
    }

    @Test func cancelling() async throws {
        let request = AsynchronousFetchRequest(fetchRequest: FetchRequest(Item.self))
        let result = try await context.perform { [context] in
            // snippet.AsynchronousFetching.cancel
            let result = try context.execute(request)
            result.cancel()  // or result.progress.cancel(), or that of a parent
            // snippet.end
            return result
        }
        for await _ in result.progressUpdates {}
        let outcome = try await context.perform { (result.finalResult?.count, result.operationError == nil) }
        #expect(outcome == (0, true) && result.isCancelled)
    }

    @Test func relativeProgress() async throws {
        // snippet.AsynchronousFetching.relative
        let request = AsynchronousFetchRequest(fetchRequest: FetchRequest(Item.self))
        request.countsBeforehand = true  // or request.estimatedResultCount = 1_000_000
        // snippet.end
        let result = try await context.perform { [context] in try context.execute(request) }
        for await _ in result.progressUpdates {}
        #expect(result.progress.fractionCompleted == 1)
    }

    @Test func parentProgress() async throws {
        let request = AsynchronousFetchRequest(fetchRequest: FetchRequest(Item.self))
        // snippet.AsynchronousFetching.parent
        let launch = Progress(totalUnitCount: 2)
        let result = try await context.perform { [context] in
            launch.becomeCurrent(withPendingUnitCount: 1)
            defer { launch.resignCurrent() }
            return try context.execute(request)  // its progress is half of the launch's
        }
        // snippet.end
        for await _ in result.progressUpdates {}
        #expect(launch.fractionCompleted == 0.5)
    }
}
