import Foundation

/// A plain mutual-exclusion lock for what is not a value in memory, such as a turn or the use of a connection.
///
/// A ``Locked`` guards a value. The lock is a pthread mutex because the thread sanitizer understands it, unlike
/// `Synchronization.Mutex`. It is not recursive.
public struct Lock: ~Copyable, @unchecked Sendable {
    // Unchecked: the mutex exists to be used by several threads.
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
    /// Takes the lock if no thread holds it.
    ///
    /// - Returns: Whether it took the lock.
    @inlinable @inline(__always) public func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }
    /// Releases the lock on the thread that took it.
    @inlinable @inline(__always) public func unlock() { pthread_mutex_unlock(mutex) }

    /// Calls `body` with the lock held.
    @inlinable @inline(__always) public func withLock<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}
