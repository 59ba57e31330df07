import Foundation

/// The lock of a file that one process at a time writes (flock(2)).
enum FileLock {
    /// Takes the lock; false if another one has the file open and locked. A file system without locks refuses nothing.
    static func take(_ descriptor: Int32) -> Bool {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }

    /// Gives up the lock and closes the file.
    ///
    /// A process that another thread is just starting has a copy of the descriptor until it runs its program. To close
    /// this one alone would leave the file locked for so long.
    static func close(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        Foundation.close(descriptor)
    }
}
