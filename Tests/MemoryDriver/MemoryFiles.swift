import Foundation

/// The files of a store: everything as it was at the last checkpoint, and a line of JSON for each save since.
///
/// A line holds whole records, so it does no harm to read one that the checkpoint has taken in already.
struct MemoryFiles: Sendable {
    private let content: URL
    private let log: URL

    init(_ directory: URL) {
        content = directory.appending(path: "content.json")
        log = directory.appending(path: "saves.log")
    }

    func read() throws -> MemoryContent {
        var found = MemoryContent()
        if let data = try Self.data(in: content) { found = try JSONDecoder().decode(MemoryContent.self, from: data) }
        for line in try Self.data(in: log)?.split(separator: UInt8(ascii: "\n")) ?? [] {
            found.apply(try JSONDecoder().decode(MemorySave.self, from: line))
        }
        return found
    }

    func append(_ save: MemorySave) throws {
        let line = try JSONEncoder().encode(save) + Data("\n".utf8)
        guard FileManager.default.fileExists(atPath: log.path) else { return try line.write(to: log) }
        let file = try FileHandle(forWritingTo: log)
        defer { try? file.close() }
        try file.seekToEnd()
        try file.write(contentsOf: line)
    }

    /// Writes everything anew and empties the log.
    func replace(with new: MemoryContent) throws {
        try JSONEncoder().encode(new).write(to: content, options: .atomic)
        if FileManager.default.fileExists(atPath: log.path) { try FileManager.default.removeItem(at: log) }
    }

    private static func data(in file: URL) throws -> Data? {
        FileManager.default.fileExists(atPath: file.path) ? try Data(contentsOf: file) : nil
    }
}
