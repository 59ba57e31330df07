/// Keys as ranges of consecutive ones, so that a statement can cover many keys at once.
struct KeyRuns: Sequence {
    private var runs: [ClosedRange<Int64>] = []

    init(_ keys: some Sequence<Int64>) {
        var sorted = Array(keys)
        if !zip(sorted, sorted.dropFirst()).allSatisfy(<) { sorted.sort() }
        guard var (first, last) = sorted.first.map({ ($0, $0) }) else { return }
        for key in sorted.dropFirst() where key != last {
            if key != last + 1 {
                runs.append(first...last)
                first = key
            }
            last = key
        }
        runs.append(first...last)
    }

    func makeIterator() -> IndexingIterator<[ClosedRange<Int64>]> { runs.makeIterator() }
}
