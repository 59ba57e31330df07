import Foundation

/// Something that could not be done, and why; what the store itself refuses is a `StoreError`.
struct TodoError: LocalizedError {
    let errorDescription: String?

    init(_ message: String) {
        errorDescription = message
    }
}

/// Ctrl-C was pressed; the message says how far things had come.
struct Interrupted: LocalizedError {
    let errorDescription: String?

    init(_ message: String) {
        errorDescription = message
    }
}
