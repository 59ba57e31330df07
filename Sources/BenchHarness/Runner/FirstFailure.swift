import Dispatch
import Foundation
import Locking

/// The first error among threads that work on one thing.
public final class FirstFailure: Sendable {
    private let error = Locked<(any Error)?>(nil)

    /// Creates one that has yet to happen.
    public init() {}

    /// Whether one of the threads has failed, so that the others need not go on.
    public var hasHappened: Bool { error.withLock { $0 != nil } }

    /// Keeps what `body` throws, unless another failed before.
    public func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            self.error.withLock { $0 = $0 ?? error }
        }
    }

    /// Throws the error, if there was one.
    public func rethrow() throws {
        if let error = error.value { throw error }
    }
}

extension MergePlan {
    /// Starts a thread for each writer, which does its saves in order until one fails. `group` is left by each
    /// when it is done.
    public func startWriters(
        in group: DispatchGroup, until failure: FirstFailure, save: @escaping @Sendable (Save) throws -> Void
    ) {
        for saves in writers {
            group.enter()
            Thread {
                failure.attempt { for next in saves where !failure.hasHappened { try save(next) } }
                group.leave()
            }.start()
        }
    }
}
