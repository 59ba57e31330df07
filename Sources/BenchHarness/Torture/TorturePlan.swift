import Foundation

/// The fate of one process, from its first acknowledged write on.
struct TorturedLife: Sendable, Equatable {
    /// A period of time.
    enum Step: Sendable, Equatable {
        /// The process works.
        case work(milliseconds: Int)
        /// The process is stopped by SIGSTOP and continued by SIGCONT.
        case stop(milliseconds: Int)
    }

    /// The end of the process.
    enum End: Sendable, Equatable {
        /// SIGKILL in the middle of its work.
        case kill
        /// SIGKILL so early that it may still be opening the store and recovering what another process left.
        case killWhileOpening
        /// The process closes the store and exits.
        case finish
    }

    /// The lane number, unique among all lives; see ``LoadLane``.
    var number: Int
    var steps: [Step]
    var end: End

    /// The total time of its work, in milliseconds.
    var milliseconds: Int {
        steps.reduce(0) { sum, step in
            if case .work(let milliseconds) = step { sum + milliseconds } else { sum }
        }
    }
}

/// Draws the fates of the processes of each round: a pure function of the seed.
struct TorturePlan {
    private let processes: Int
    private let shard: Shard
    private var random: SplitMix64
    /// The next number; 0 belongs to a load without torture.
    private var next: Int

    /// The range of a life in milliseconds; short lives are more frequent.
    static let work = 50...1_500
    /// The range of a stop in milliseconds.
    static let stop = 10...300
    /// The largest number of successive processes of a lane within a round: a later one opens a store that others are
    /// using, and that a killed process has left.
    private static let livesMax = 3

    init(processes: Int, seed: UInt64, shard: Shard = .whole) {
        (self.processes, self.shard) = (processes, shard)
        random = SplitMix64(state: shard.seed(seed) ^ 0x746F_7274_7572_65)
        next = 1 + shard.index
    }

    /// Returns the index of the shard, of this many, whose process has a lane.
    static func shard(of lane: LoadLane, count: Int) -> Int { (lane.number - 1) % count }

    /// Returns the successive processes of each lane.
    mutating func round() -> [[TorturedLife]] {
        (0..<processes).map { _ in (0...random.below(Self.livesMax)).map { _ in life() } }
    }

    private mutating func life() -> TorturedLife {
        defer { next += shard.count }
        switch random.below(8) {
        case 0:
            return TorturedLife(number: next, steps: [.work(milliseconds: random.below(30))], end: .killWhileOpening)
        case 1: return TorturedLife(number: next, steps: steps(), end: .finish)
        default: return TorturedLife(number: next, steps: steps(), end: .kill)
        }
    }

    private mutating func steps() -> [TorturedLife.Step] {
        let ratio = Double(Self.work.upperBound) / Double(Self.work.lowerBound)
        let work = Int(Double(Self.work.lowerBound) * pow(ratio, random.unit()))
        guard random.below(3) == 0 else { return [.work(milliseconds: work)] }
        let before = random.below(work + 1)
        let stop = Self.stop.lowerBound + random.below(Self.stop.count)
        return [.work(milliseconds: before), .stop(milliseconds: stop), .work(milliseconds: work - before)]
    }
}
