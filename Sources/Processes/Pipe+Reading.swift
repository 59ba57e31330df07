import Foundation

extension FileHandle {
    /// Reads to the end and closes the file: Foundation keeps the pipes of a process open after the process has ended.
    package func readAndClose() -> Data {
        defer { try? close() }
        return readDataToEndOfFile()
    }
}

extension Pipe {
    /// Reads until the last writer has closed its end, and closes the other one.
    package func readText() -> String { String(decoding: fileHandleForReading.readAndClose(), as: UTF8.self) }
}
