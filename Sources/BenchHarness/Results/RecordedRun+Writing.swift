import Foundation

extension RecordedRun {
    /// Writes the CSV and, if there is one, its manifest. Existing files are replaced.
    public func write(to url: URL) throws {
        let file = try ResultFile(path: url.path, replace: true)
        for row in rows { try file.append(row) }
        try manifest?.write(beside: url)
    }
}
