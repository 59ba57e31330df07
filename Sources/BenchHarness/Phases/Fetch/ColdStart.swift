/// The proof that a fetch began with a cold cache: it read most of the store from storage while the clock ran.
struct ColdStart {
    /// Opening a store brings its first pages, and the kernel reads some beyond those that it was asked for. A smaller
    /// store may be in memory entirely by then, so it is not judged.
    private static let leastJudged = 4 << 20
    /// The part of the store that a fetch of all records reads at least; indexes may be as large as the records.
    private static let leastPart = 0.5

    /// What the process read from storage within the clock, in bytes; nil if the system does not tell.
    let read: Int?
    /// The size of the store's files; nil if unknown.
    let store: Int?
    /// Whether the fetch is one of all records. Any other may read any part of the store.
    var isWhole = true

    /// Whether the cache was cold; nil if that cannot be told.
    var isProven: Bool? {
        guard let read, let store, store >= Self.leastJudged else { return nil }
        return Double(read) > (isWhole ? Self.leastPart * Double(store) : 0)
    }

    /// What is wrong; empty if nothing is, or if it cannot be told.
    var problems: [String] {
        guard isProven == false, let read, let store else { return [] }
        return [
            "the fetch was not cold: within the clock it read \(read) of the store's \(store) bytes from storage; "
                + "--store-dir puts the stores on a disk"
        ]
    }
}
