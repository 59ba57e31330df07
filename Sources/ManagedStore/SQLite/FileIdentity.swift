import Foundation

/// Tells a file from another that comes into its place.
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
            "\(path) was moved, removed or replaced while it was open; nothing was saved: put it back, or remove the store from its "
                + "coordinator and add it anew")
    }
}
