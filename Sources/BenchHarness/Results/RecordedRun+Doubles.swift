import Foundation

/// Measurements that are given twice: they would make few look like many.
extension RecordedRun {
    /// What tells the file's measurements from others: the runs that its rows name, or the file if they name none.
    var runIDs: Set<String> {
        let named = Set(rows.map(\.run)).subtracting([""])
        return named.isEmpty ? [url.resolvingSymlinksInPath().path] : named
    }

    /// Refuses a repetition that has two rows.
    func checkRows() throws(RunError) {
        struct Identity: Hashable {
            let run: String
            let key: ComparisonKey
            let repetition: Int
        }
        var seen: Set<Identity> = []
        for row in rows
        where !seen.insert(Identity(run: row.run, key: ComparisonKey(row), repetition: row.repetition)).inserted {
            throw RunError(
                .results,
                "\(name): one run has two rows of \(row.title); delete one, or the repetition counts twice")
        }
    }
}

extension [RecordedRun] {
    /// Refuses files that hold the same run, or a load and one of its shards.
    package func checkCountOnce() throws(RunError) {
        var fileOf: [String: String] = [:]
        for run in self {
            for id in run.runIDs.sorted() {
                if let other = fileOf[id] { throw Self.doubled("\(run.name) and \(other) hold the same run \(id)") }
                fileOf[id] = run.name
            }
        }
        for run in self {
            guard let load = run.manifest?.shard?.load, let whole = fileOf[load] else { continue }
            throw Self.doubled("\(run.name) is a shard of the load in \(whole)")
        }
    }

    private static func doubled(_ what: String) -> RunError {
        RunError(.results, "\(what); leave one of them out, or it counts twice")
    }
}
