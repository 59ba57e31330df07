import Foundation

/// Runs `body` on a new thread: sessions wait, which a thread of Swift's own pool must not do.
func onThread<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: Result(catching: body)) }.start()
    }
    return try result.get()
}
