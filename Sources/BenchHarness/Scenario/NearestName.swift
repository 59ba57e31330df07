/// Finds the name that a misspelt one most likely means.
public enum NearestName {
    /// Returns the candidate nearest to `name`, or nil if none is near: at most a third of the letters may differ, but
    /// at least one may.
    public static func among(_ candidates: some Sequence<String>, to name: String) -> String? {
        guard name.count <= 100 else { return nil }
        let wanted = Array(name.lowercased())
        let limit = max(1, wanted.count / 3)
        return
            candidates
            .map { (name: $0, distance: distance(wanted, Array($0.lowercased()))) }
            .filter { $0.distance <= limit }
            .min { $0.distance < $1.distance }?.name
    }

    /// Returns the number of letters to insert, drop, replace or swap with their neighbour (optimal string alignment
    /// distance, after Damerau 1964): a swap is the most common slip, so it counts once.
    static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
