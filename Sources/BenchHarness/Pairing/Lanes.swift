/// The cores on which launches run at the same time.
struct Lanes: Sendable {
    private let cores: [Int]
    private let count: Int
    /// Whether the system lets a process be kept on one core.
    let canPin: Bool

    /// - Parameter most: How many launches may run at once.
    init(_ cores: Cores, most: Int) {
        self.cores = cores.allowed
        // Launches that no core keeps apart would disturb each other.
        canPin = cores.pinned(to: self.cores.first) {}.isPinned
        count = canPin ? max(1, min(most, self.cores.count)) : 1
    }

    /// Returns the core of each of the next launches of `bout`, after `launches` of them; nil stands for all cores.
    ///
    /// The cores lie far apart: neighbours may be two threads of one.
    ///
    /// - Parameter areApart: Whether one launch ends before the next begins.
    func cores(for bout: Bout, from launches: Int, areApart: Bool = false) -> [Int?] {
        guard bout.pinning == .core, !cores.isEmpty else { return [nil] }
        guard !areApart else { return [cores[launches % cores.count]] }
        return (0..<count).map { lane in cores[(launches / count + lane * cores.count / count) % cores.count] }
    }
}
