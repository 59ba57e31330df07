/// By what, and by how much, a side is slower.
struct Slowdown: Hashable, CustomStringConvertible {
    /// The share of CPU time; 0 where the cause decides.
    let percent: Int
    let cause: Cause

    /// What the CPU time is spent on.
    enum Cause: String, CaseIterable {
        /// Reads the clock, in registers and the nearest cache.
        case spinning
        /// Follows pointers all over more memory than the nearer caches hold.
        case cacheMisses = "cache-misses"
        /// Allocates, touches and frees blocks of many sizes.
        case allocations
        /// Takes a lock that another thread has.
        case lock
        /// Runs a statement of SQLite that reads a row.
        case statement
        /// Reads more of a file that the system has in memory.
        case read
        /// Fetches one object after each save.
        case statementPerSave = "statement-per-save"
    }

    static let all =
        [Slowdown(percent: 3, cause: .spinning), Slowdown(percent: 10, cause: .spinning)]
        + [.cacheMisses, .allocations, .lock, .statement, .read].map { Slowdown(percent: 3, cause: $0) }
        + [Slowdown(percent: 0, cause: .statementPerSave)]

    var description: String {
        switch cause {
        case .spinning: "+\(percent)%"
        case .statementPerSave: cause.rawValue
        default: "+\(percent)%-\(cause.rawValue)"
        }
    }

    /// Whether it slows phases of this kind, as scenarios call it.
    func slows(_ kind: String) -> Bool { cause != .statementPerSave || kind != "fetch" }
}
