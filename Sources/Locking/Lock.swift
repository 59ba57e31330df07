import Foundation

/// A plain mutual-exclusion lock, for what is no value in memory: who has the turn, or the use of a connection.
///
/// What guards a value is a ``Locked``. A pthread mutex, because the thread sanitizer follows one, which it does not
/// follow `Synchronization.Mutex`. Not recursive.
public struct Lock: ~Copyable, @unchecked Sendable {
    // Unchecked: the mutex is what makes everything else Sendable.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Makes a lock that is not held.
    @inlinable public init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    @inlinable deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Waits for the lock and takes it.
    @inlinable @inline(__always) public func lock() { pthread_mutex_lock(mutex) }
    /// Lets go of the lock, on the thread that took it.
    @inlinable @inline(__always) public func unlock() { pthread_mutex_unlock(mutex) }

    /// Runs `body` with the lock held.
    @inlinable @inline(__always) public func withLock<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}
