import Foundation

/// The folders in which a driver's store of files gets the initial state of a phase.
struct StoreStage: StoreStager, Sendable {
    /// The folder of the store that phases use.
    let store: URL
    private let seeded: URL
    private let unfinished: URL

    init(directory: String) {
        let root = URL(fileURLWithPath: directory, isDirectory: true)
        store = root.appendingPathComponent("store", isDirectory: true)
        seeded = root.appendingPathComponent("seeded", isDirectory: true)
        unfinished = root.appendingPathComponent("unfinished", isDirectory: true)
    }

    /// Whether there is a seeded copy. A rename puts it in place, so an existing copy is complete.
    var hasSeeded: Bool { FileManager.default.fileExists(atPath: seeded.path) }

    /// Removes the files of the store.
    func empty() throws {
        try replace(store) { try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: true) }
    }

    /// Keeps the closed store as the seeded copy.
    func keepSeeded() throws {
        try replace(unfinished) { try copy(store, to: $0) }
        try FileManager.default.moveItem(at: unfinished, to: seeded)
    }

    /// Replaces the store by a copy of the seeded one.
    func restoreSeeded() throws {
        try replace(store) { try copy(seeded, to: $0) }
    }

    /// Has the kernel drop the pages of a closed store's files from the page cache, where it can: files in memory have
    /// no others.
    static func dropFromPageCache(_ folder: URL) throws {
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let file = open(folder.appendingPathComponent(path).path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { continue }
            defer { close(file) }
            // A page that is not on storage yet cannot be dropped.
            fsync(file)
            #if os(Linux)
                posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
            #endif
        }
    }

    private func replace(_ url: URL, by make: (URL) throws -> Void) throws {
        do {
            if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
            try make(url)
        } catch {
            throw RunError(.storeDirectory, "\(url.path): \(error.reason); --store-dir puts the stores elsewhere")
        }
    }

    /// Copies a folder and waits until the copy is on storage: otherwise the first fsync of the phase would include it.
    private func copy(_ source: URL, to target: URL) throws {
        try FileManager.default.copyItem(at: source, to: target)
        Self.sync(target)
    }

    /// Waits until the files of a folder are on storage.
    static func sync(_ folder: URL) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
            let file = open(folder.appendingPathComponent(name).path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { continue }
            fsync(file)
            close(file)
        }
    }
}
