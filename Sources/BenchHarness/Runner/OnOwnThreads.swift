import Foundation
import Locking

/// Calls `body` with each number below `count`, each on a thread of its own, all at the same time, and waits for them.
/// Dispatch may have fewer threads than that.
///
/// - Returns: The results, in the order of the numbers.
/// - Throws: The first error, by the numbers.
package func onOwnThreads<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Value
) throws -> [Value] {
    let results = Locked<[Int: Result<Value, any Error>]>([:])
    let ended = DispatchGroup()
    for number in 0..<count {
        ended.enter()
        do {
            try OwnThread.start {
                let result = Result { try body(number) }
                results.withLock { $0[number] = result }
                ended.leave()
            }
        } catch {
            results.withLock { $0[number] = .failure(error) }
            ended.leave()
        }
    }
    ended.wait()
    return try results.withLock { results in try (0..<count).compactMap { try results[$0]?.get() } }
}
