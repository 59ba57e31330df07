import Dispatch
import Foundation
import Locking

/// The first error among threads with a common task.
public final class FirstFailure: Sendable {
    private let error = Locked<(any Error)?>(nil)

    /// Creates an instance without an error.
    public init() {}

    /// Whether one of the threads has failed, so that the others can stop.
    public var hasHappened: Bool { error.withLock { $0 != nil } }

    /// Runs `body` and keeps its error, unless there is an earlier one.
    public func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            self.error.withLock { $0 = $0 ?? error }
        }
    }

    /// Throws the error, if there is one.
    public func rethrow() throws {
        if let error = error.value { throw error }
    }
}

extension MergePlan {
    /// Starts a thread for each writer, which runs the writer's saves in order until one fails. Each thread leaves
    /// `group` at its end.
    public func startWriters(
        in group: DispatchGroup, until failure: FirstFailure, save: @escaping @Sendable (Save) throws -> Void
    ) {
        for saves in writers {
            group.enter()
            failure.attempt {
                do {
                    try OwnThread.start {
                        failure.attempt { for next in saves where !failure.hasHappened { try save(next) } }
                        group.leave()
                    }
                } catch {
                    group.leave()
                    throw error
                }
            }
        }
    }
}
