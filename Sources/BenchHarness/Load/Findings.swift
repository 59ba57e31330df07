/// Problems in words: the first few, and the number of all.
struct Findings: Sendable {
    private(set) var count = 0
    private var first: [String] = []

    /// The number of problems in words; beyond it, they are only counted.
    private static let told = 5

    mutating func report(_ problem: String) {
        count += 1
        if count <= Self.told { first.append(problem) }
    }

    /// The problems, for a report; empty if there are none.
    var inWords: [String] {
        count > Self.told ? first + ["and \((count - Self.told).grouped) more"] : first
    }
}
