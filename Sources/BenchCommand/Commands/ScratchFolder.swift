import BenchHarness
import Foundation

/// A hidden folder for what a command needs only while it runs.
struct ScratchFolder {
    let url: URL

    init(in parent: URL) throws(RunError) {
        url = parent.appendingPathComponent(".bench-\(UUID().uuidString.prefix(8).lowercased())", isDirectory: true)
        guard mkdir(url.path, 0o755) == 0 else {
            throw RunError(.output, "cannot create \(url.path): \(String(cString: strerror(errno)))")
        }
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
