import Foundation

/// Tells files from what looks like one: to read a pipe is to wait for a writer.
enum StoreFileKind {
    /// Whether there is a file at `url`, itself or by links.
    static func isRegular(_ url: URL) -> Bool {
        let path = url.resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeRegular
    }
}
