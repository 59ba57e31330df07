import BenchHarness
import Dispatch
import Foundation

/// Runs of `bench ab` with recorded noise: launches come in, and the code that judges real ones judges these.
struct PairedSimulation: Sendable {
    struct Result: Sendable {
        /// Whether any figure that has not changed was called regressed or improved.
        var isAlarm = false
        /// Whether the slowed figure was called regressed.
        var isCaught = false
        /// The number of launches until the slowed figure had a verdict; all of them if it had none.
        var launches = 0
        /// The shares of the other figures that were called unchanged.
        var unchanged = 0.0
    }

    private let noise: LaunchNoise
    /// How real runs are judged, and how many figures of one share the alpha.
    let test: SequentialTest
    private let seed: UInt64

    init(_ noise: LaunchNoise, launches: Int, alpha: Double, seed: UInt64) {
        self.noise = noise
        self.seed = seed
        let figures = Set(noise.cells.map(\.place)).reduce(0) { $0 + $1.pinning.figures(ofLoad: false).count }
        test = SequentialTest(launches: launches, figures: figures, alpha: alpha)
    }

    /// Runs `count` simulations, on all cores.
    func results(of count: Int, slowdown: Double = 0, _ progress: SimulationCount? = nil) -> [Result] {
        let results = Collector<Result>()
        DispatchQueue.concurrentPerform(iterations: count) { index in
            results.add(run(index, slowdown: slowdown))
            progress?.add()
        }
        // No simulation fails.
        return (try? results.get()) ?? []
    }

    private func run(_ index: Int, slowdown: Double) -> Result {
        var random = PowerSettings.generator(seed, comparison: index, size: test.launches)
        let victim = index % noise.cells.count
        var result = Result()
        var unchanged = 0
        for (place, cell) in noise.cells.enumerated() {
            let change = place == victim ? log(1 + slowdown) : 0
            let (verdict, launches) = judge(cell, change: change, &random)
            if place == victim {
                result.isCaught = verdict == .regressed
                result.launches = launches
            }
            if change == 0 {
                if verdict == .regressed || verdict == .improved { result.isAlarm = true }
                if verdict == .unchanged { unchanged += 1 }
            }
        }
        result.unchanged = Double(unchanged) / Double(max(noise.cells.count - (slowdown > 0 ? 1 : 0), 1))
        return result
    }

    /// Returns the verdict of one figure, and after how many launches it was there.
    private func judge(
        _ cell: LaunchNoise.Cell, change: Double, _ random: inout SplitMix64
    ) -> (verdict: Verdict?, launches: Int) {
        let run = Int.random(in: 0..<cell.runs.count, using: &random)
        let values = (0..<test.launches).map { _ in
            change + cell.drifts[run] + cell.runs[run][Int.random(in: 0..<cell.runs[run].count, using: &random)]
        }
        let decision = test.decision(
            values, threshold: cell.threshold, takesFew: cell.metric != Metric.duration.name)
        return (decision?.verdict, decision?.launches ?? test.launches)
    }
}
