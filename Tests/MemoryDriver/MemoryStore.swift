import BenchHarness
import DriverSupport
import Foundation
import Synchronization

/// An open store, which the sessions on one directory share.
final class MemoryStore: Sendable {
    private static let shared = SharedStores<MemoryStore>()

    private let directory: URL
    private let files: MemoryFiles
    private let content: Mutex<MemoryContent>

    private init(_ directory: URL) throws {
        self.directory = directory
        files = MemoryFiles(directory)
        content = Mutex(try files.read())
    }

    /// Opens the store in a directory, or the one that another session has open there.
    static func open(_ directory: URL) throws -> MemoryStore {
        try shared.open(directory) { try MemoryStore(directory) }
    }

    /// Lets go of the store for one session. The last one leaves nothing in memory, since the harness may then put
    /// another store in the directory.
    func close() { Self.shared.close(directory) }

    /// Everything, as it is now.
    var snapshot: MemoryContent { content.withLock { $0 } }

    /// Everything, as the files have it.
    func stored() throws -> MemoryContent { try content.withLock { _ in try files.read() } }

    /// Saves what `body` makes of the content, and hands it back; saves nothing when `body` throws.
    func save(_ body: (MemoryContent) throws -> MemorySave) throws -> MemorySave {
        try content.withLock { content in
            let save = try body(content)
            try files.append(save)
            content.apply(save)
            return save
        }
    }

    /// Writes the log back.
    func checkpoint() throws { try content.withLock { try files.replace(with: $0) } }
}

/// An open store as a session sees it that is about one of its entities.
struct MemoryView: Sendable {
    let store: MemoryStore
    let entity: String

    /// Everything, as it is now.
    var snapshot: MemoryContent { focused(store.snapshot) }

    /// Everything, as the files have it.
    func stored() throws -> MemoryContent { focused(try store.stored()) }

    /// Saves what `body` makes of the content, and hands it back; saves nothing when `body` throws.
    @discardableResult
    func save(_ body: (MemoryContent) throws -> MemorySave) throws -> MemorySave {
        try store.save { content in
            var save = try body(focused(content))
            save.entity = entity
            return save
        }
    }

    private func focused(_ content: MemoryContent) -> MemoryContent {
        var content = content
        content.focus = entity
        return content
    }
}
