import Foundation

extension RecordedRun {
    /// Joins runs of one repetition each into one run: the first becomes repetition 1, and so on. `name` is its name in
    /// messages.
    public static func numbered(_ runs: [RecordedRun], name: String) -> RecordedRun {
        precondition(!runs.isEmpty, "a run has repetitions")
        let id = runs[0].rows.first?.run ?? ""
        let rows = runs.enumerated().flatMap { index, run in
            run.rows.map { row in
                var row = row
                row.run = id
                row.repetition = index + 1
                return row
            }
        }
        return RecordedRun(url: URL(fileURLWithPath: name), rows: rows, manifest: runs[0].manifest)
    }

    /// Returns the run with all rows under one driver called `driver`, to compare two drivers with each other.
    public func renamed(_ driver: String) -> RecordedRun {
        let rows = rows.map { row in
            var row = row
            row.driver = driver
            return row
        }
        return RecordedRun(url: url, rows: rows, manifest: manifest)
    }

    /// Writes the CSV and, if there is one, its manifest. Existing files are replaced.
    public func write(to url: URL) throws {
        let file = try ResultFile(path: url.path, replace: true)
        for row in rows { try file.append(row) }
        try manifest?.write(beside: url)
    }
}
