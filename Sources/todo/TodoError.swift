import Foundation

/// A failure of a command, and its reason; the store's own errors are `StoreError`s.
struct TodoError: LocalizedError {
    let errorDescription: String?

    init(_ message: String) {
        errorDescription = message
    }
}

/// The user pressed Ctrl-C; the message states the progress.
struct Interrupted: LocalizedError {
    let errorDescription: String?

    init(_ message: String) {
        errorDescription = message
    }
}
