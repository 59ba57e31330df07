import Foundation

/// What happens to one process, from the first write that it says was acknowledged.
struct TorturedLife: Sendable, Equatable {
    /// A stretch of time.
    enum Step: Sendable, Equatable {
        /// It works.
        case work(milliseconds: Int)
        /// It is stopped by SIGSTOP, and goes on after SIGCONT.
        case stop(milliseconds: Int)
    }

    /// How it ends.
    enum End: Sendable, Equatable {
        /// By SIGKILL, in the middle of its work.
        case kill
        /// By SIGKILL so soon that it may still be opening the store, and recovering what another one left.
        case killWhileOpening
        /// It closes the store and exits.
        case finish
    }

    /// Unlike any other life's; see ``LoadLane``.
    var number: Int
    var steps: [Step]
    var end: End

    /// How long it works.
    var milliseconds: Int {
        steps.reduce(0) { sum, step in
            if case .work(let milliseconds) = step { sum + milliseconds } else { sum }
        }
    }
}

/// Draws what happens to the processes of each round: a pure function of the seed.
struct TorturePlan {
    private let processes: Int
    private var random: SplitMix64
    /// 0 is that of a load without torture.
    private var next = 1

    /// A life is no shorter and no longer than this, in milliseconds; short ones are more frequent.
    static let work = 50...1_500
    /// A stop is no shorter and no longer than this, in milliseconds.
    static let stop = 10...300
    /// Processes that follow one another in one place within a round: those that come later open a store on which
    /// others are at work, and which one that was killed has left.
    private static let livesMax = 3

    init(processes: Int, seed: UInt64) {
        self.processes = processes
        random = SplitMix64(state: seed ^ 0x746F_7274_7572_65)
    }

    /// For each place of a process, those that follow one another there.
    mutating func round() -> [[TorturedLife]] {
        (0..<processes).map { _ in (0...random.below(Self.livesMax)).map { _ in life() } }
    }

    private mutating func life() -> TorturedLife {
        defer { next += 1 }
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
