import Foundation

/// Runs `body` on a thread of its own: sessions wait, and a thread of Swift's own pool must not.
func onThread<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: Result(catching: body)) }.start()
    }
    return try result.get()
}
