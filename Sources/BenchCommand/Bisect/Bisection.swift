/// The search for the first bad commit on a line of commits that begins after a good one and ends with a bad one.
struct Bisection: Equatable {
    /// What is known of a commit.
    enum Finding: Equatable {
        case good
        case bad
        /// It cannot be told, so that the search goes on beside it.
        case skipped
    }

    /// The number of commits after the good one.
    let count: Int
    /// The last commit that is good, counted from 1; 0 is the one that the line begins after.
    private(set) var lastGood = 0
    /// The first commit that is known to be bad.
    private(set) var firstBad: Int
    private var skipped: Set<Int> = []

    init(count: Int) {
        self.count = count
        firstBad = count
    }

    /// The commits that may be the first bad one.
    var suspects: ClosedRange<Int> { lastGood + 1...firstBad }

    /// The commit to try next: the one nearest to the middle; nil if no further one can be tried.
    var next: Int? {
        let open = (lastGood + 1..<firstBad).filter { !skipped.contains($0) }
        let middle = (lastGood + firstBad) / 2
        return open.min { abs($0 - middle) < abs($1 - middle) }
    }

    mutating func note(_ finding: Finding, of commit: Int) {
        switch finding {
        case .good: lastGood = max(lastGood, commit)
        case .bad: firstBad = min(firstBad, commit)
        case .skipped: skipped.insert(commit)
        }
    }
}
