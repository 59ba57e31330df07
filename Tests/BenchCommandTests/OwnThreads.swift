import Foundation
import Testing

/// Runs tests on threads of their own.
///
/// Swift's pool has a thread for each core. Tests that wait for the programs that they start would keep all of them, so
/// that no other test could use the cores meanwhile.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ThreadExecutor.shared) { try await function() }
    }
}

extension Trait where Self == OwnThreads {
    /// Runs each test on a thread of its own.
    static var ownThreads: Self { OwnThreads() }
}

private final class ThreadExecutor: TaskExecutor {
    static let shared = ThreadExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
