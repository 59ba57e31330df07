import Foundation

/// An invalid command line, and how to correct it.
struct UsageError: LocalizedError {
    let errorDescription: String?

    init(_ message: String) {
        errorDescription = message
    }

    /// Makes the error for an unknown name, with the nearest known one.
    init(unknown kind: String, _ name: String, known: [String], help: String) {
        let hint = known.nearest(to: name).map { "did you mean \($0)?" } ?? "see \(help)"
        self.init("there is no \(kind) \"\(name)\"; \(hint)")
    }
}

extension [String] {
    /// Returns the known string nearest to `word`; nil if none is near.
    func nearest(to word: String) -> String? {
        guard word.count <= 100 else { return nil }
        let near = map { (name: $0, distance: $0.distance(to: word)) }.min { $0.distance < $1.distance }
        return near.flatMap { $0.distance <= Swift.max(1, word.count / 3) ? $0.name : nil }
    }
}

extension String {
    /// Returns the number of letters to insert, delete, replace or swap with their neighbour (optimal string alignment
    /// distance, after Damerau 1964).
    fileprivate func distance(to other: String) -> Int {
        let (mine, theirs) = (Array(self), Array(other))
        var table = [[Int]](repeating: Array(0...theirs.count), count: mine.count + 1)
        for i in mine.indices {
            table[i + 1][0] = i + 1
            for j in theirs.indices {
                let replaced = table[i][j] + (mine[i] == theirs[j] ? 0 : 1)
                var best = Swift.min(replaced, table[i][j + 1] + 1, table[i + 1][j] + 1)
                if i > 0, j > 0, mine[i] == theirs[j - 1], mine[i - 1] == theirs[j] {
                    best = Swift.min(best, table[i - 1][j - 1] + 1)
                }
                table[i + 1][j + 1] = best
            }
        }
        return table[mine.count][theirs.count]
    }
}
