import Dispatch
import Foundation

/// Running code where the context may be used. Callable from any thread.
extension ManagedObjectContext {
    /// Runs `block` on the context's queue later: never inline, even if the caller is on the queue.
    ///
    /// The context posts objects-did-change for the block's changes when the block ends. Traps on a confinement
    /// context, which has no queue.
    public func perform(_ block: @escaping @Sendable () -> Void) {
        guard let queue = executor.queue else { fatalError(noQueue("perform(_:)")) }
        queue.async { self.run(block) }
    }

    /// Runs `block` on the context's queue and waits for it.
    ///
    /// Callable within another block of the same context, and within a block of another context that such a block waits
    /// for.
    ///
    /// - Throws: what `block` throws. Traps on a confinement context, which has no queue.
    public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
        guard let queue = executor.queue else { fatalError(noQueue("performAndWait(_:)")) }
        if executor.isCurrent { return try block() }
        return try executor.sync(on: queue) { try run(block) }
    }

    /// Runs `block` on the context's queue and returns its result.
    ///
    /// - Throws: what `block` throws; `StoreError` with `concurrency` on a confinement context, which has no queue.
    public func perform<Result: Sendable>(_ block: @escaping @Sendable () throws -> Result) async throws -> Result {
        guard let queue = executor.queue else { throw StoreError(.concurrency, noQueue("perform(_:)")) }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async {
                // The caller may rely on objects-did-change, which is posted before the caller continues.
                continuation.resume(with: Swift.Result { try self.run(block) })
            }
        }
    }

    /// Runs a block on the context's queue, and then posts what it changed.
    private func run<Result>(_ block: () throws -> Result) rethrows -> Result {
        try registry.withContextAtWork(self) {
            defer { processPendingChanges() }
            return try block()
        }
    }

    func noQueue(_ function: String) -> String {
        "\(self) is a \(concurrencyType.rawValue) context: it has no queue, so \(function) cannot be used; use the "
            + "context directly on its thread, or make it with .privateQueue or .mainQueue"
    }
}
