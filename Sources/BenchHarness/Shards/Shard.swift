/// One of several processes that do one load together, on as many machines.
///
/// The rate and the number of operations of a scenario are those of the whole load, so each shard has a part of them.
/// The workers are those of each shard: more machines are more of them.
public struct Shard: Sendable, Equatable, Codable {
    /// The number of the shard, from 0.
    public let index: Int
    /// The number of shards.
    public let count: Int

    /// A load in one process.
    public static let whole = Shard(uncheckedIndex: 0, count: 1)
    /// The most shards of a load, which the ordinals and revisions of ``LoadLane`` allow for.
    static let most = 1_000

    private init(uncheckedIndex index: Int, count: Int) { (self.index, self.count) = (index, count) }

    /// Creates a shard; nil if there is no such one.
    public init?(index: Int, count: Int) {
        guard (1...Self.most).contains(count), (0..<count).contains(index) else { return nil }
        self.init(uncheckedIndex: index, count: count)
    }

    /// Reads `INDEX/COUNT`, such as `2/8`.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1] else { return nil }
        self.init(index: index, count: count)
    }

    /// Whether there are no others.
    public var isWhole: Bool { count == 1 }

    /// Returns the shard's part of a number that all shards share. The parts differ by 1 at most.
    func part(of total: Int) -> Int {
        let (least, rest) = total.quotientAndRemainder(dividingBy: count)
        return least + (index < rest ? 1 : 0)
    }

    /// Returns the number of a worker among those of all shards, each of which has `workers`.
    func number(ofWorker worker: Int, of workers: Int) -> Int { index * workers + worker }

    /// Returns the seed of the shard's arrivals: those of the load itself for the first one.
    func seed(_ seed: UInt64) -> UInt64 { seed ^ UInt64(index) &* 0xD1B5_4A32_D192_ED03 }

    /// The records and revisions that are the shard's own.
    var lane: LoadLane { LoadLane(number: index) }
}

extension Shard: CustomStringConvertible {
    /// The text that ``init(_:)`` reads.
    public var description: String { "\(index)/\(count)" }
}

extension PaceSpec {
    /// Returns the pace of one shard: a part of the operations and of the rate. The time is that of all.
    func share(of shard: Shard) -> PaceSpec {
        if shard.isWhole { return self }
        var share = self
        share.operations = operations.map(shard.part)
        share.rate?.perSecond /= Double(shard.count)
        share.rate?.ramp?.fromPerSecond /= Double(shard.count)
        return share
    }
}
