import Foundation

extension RecordedRun {
    /// Makes one run of many that had one repetition each: the first becomes repetition 1, and so on. Messages call it
    /// `name`.
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

    /// The same, all of one driver called `driver`: for holding two drivers against each other.
    public func renamed(_ driver: String) -> RecordedRun {
        let rows = rows.map { row in
            var row = row
            row.driver = driver
            return row
        }
        return RecordedRun(url: url, rows: rows, manifest: manifest)
    }

    /// Writes the CSV and, when there is one, its manifest. What is there is replaced.
    public func write(to url: URL) throws {
        let file = try ResultFile(path: url.path, replace: true)
        for row in rows { try file.append(row) }
        try manifest?.write(beside: url)
    }
}
