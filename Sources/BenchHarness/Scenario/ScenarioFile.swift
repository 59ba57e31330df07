import Foundation

/// Reads the bytes of a scenario file, and reports plainly why it cannot.
enum ScenarioFile {
    static func data(at url: URL) throws(ScenarioError) -> Data {
        let file = url.relativePath
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            throw ScenarioError(file: file, found: "no such file", expected: "a scenario")
        }
        if isDirectory.boolValue {
            throw ScenarioError(file: file, found: "a directory", expected: "a scenario file")
        }
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            // One byte more than the limit is enough to refuse an endless file such as /dev/zero.
            return try handle.read(upToCount: JSONReader.sizeMaxBytes + 1) ?? Data()
        } catch {
            let reason = (error as? CocoaError)?.code == .fileReadNoPermission ? "no permission" : error.reason
            throw ScenarioError(file: file, found: "a file that cannot be read (\(reason))", expected: "a scenario")
        }
    }
}
