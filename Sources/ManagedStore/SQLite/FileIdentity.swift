import Foundation

/// Distinguishes a file from another one that replaces it.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// The file at `path`; nil if there is none.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
    }
}

extension StoreError {
    static func moved(_ path: String) -> StoreError {
        StoreError(
            .storeFailure,
            "\(path) was moved, removed or replaced while it was open; nothing was saved. Put the file back; or "
                + "remove the store from its coordinator, delete \(path)-wal, which belongs to the file that is gone, "
                + "and add the store again")
    }

    static func logMoved(_ path: String) -> StoreError {
        StoreError(
            .storeFailure,
            "\(path)-wal, the write-ahead log, was moved, removed or replaced while it was open; nothing was saved. "
                + "Remove the store from its coordinator, which writes back what the log had, and add the store again")
    }
}
