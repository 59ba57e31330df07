import Foundation
import Locking
import TestSupport

@testable import ManagedStore

/// One asynchronous fetch of items, and what its completion block saw.
final class AsynchronousRun: Sendable {
    let result: AsynchronousFetchResult<Item>
    let deliveries: Locked<Int>
    let wasSameObject: Locked<Bool>
    let wasOnQueue: Locked<Bool>
    private let stream: AsyncStream<Void>

    /// Executes the request; on the context's queue.
    init(
        _ request: FetchRequest<Item>, on context: ManagedObjectContext,
        _ configure: (AsynchronousFetchRequest<Item>) -> Void = { _ in }
    ) throws {
        let (deliveries, isOnQueue, delivered) = (Locked(0), Locked(false), Locked<ObjectIdentifier?>(nil))
        let wasSameObject = Locked(false)
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let result = Locked<AsynchronousFetchResult<Item>?>(nil)
        let asynchronous = AsynchronousFetchRequest(fetchRequest: request) { delivery in
            deliveries.withLock { $0 += 1 }
            isOnQueue.withLock { $0 = context.executor.isCurrent }
            delivered.withLock { $0 = ObjectIdentifier(delivery) }
            wasSameObject.withLock { $0 = result.value === delivery }
            continuation.yield()
            continuation.finish()
        }
        configure(asynchronous)
        let executed = try context.execute(asynchronous)
        result.withLock { $0 = executed }
        self.result = executed
        self.deliveries = deliveries
        self.wasSameObject = wasSameObject
        wasOnQueue = isOnQueue
        self.stream = stream
    }

    static func start(_ request: FetchRequest<Item>, on context: ManagedObjectContext) async throws -> AsynchronousRun {
        try await context.perform { try AsynchronousRun(request, on: context) }
    }

    /// Waits for the completion block, and for the end of the queue's block that called it.
    func delivered() async {
        for await _ in stream {}
        try? await result.managedObjectContext.perform {}
    }
}
