import BenchHarness
import Dispatch
import Foundation

/// Comparisons of synthetic runs with recorded noise.
struct Simulation: Sendable {
    struct Result: Sendable {
        /// Whether the comparison called any figure regressed.
        var isAlarm: Bool
        /// Whether the comparison called any figure improved.
        var isFalseImprovement: Bool
        /// Whether the comparison called the slowed figure regressed.
        var isCaught: Bool
        /// The share of judged figures that the comparison called unchanged.
        var unchanged: Double
    }

    private let source: RecordedNoise
    private let options: ComparisonOptions
    private let repetitions: Int
    private let seed: UInt64
    /// The figures that a simulated slowdown can affect.
    private let victims: [Int]

    init(_ source: RecordedNoise, _ options: ComparisonOptions, repetitions: Int, seed: UInt64) {
        self.source = source
        var options = options
        options.relation = .absolute
        self.options = options
        self.repetitions = repetitions
        self.seed = seed
        let drivers = Set(source.cells.map(\.key.driver))
        let (isAlone, baseline) = (drivers.count == 1, SummaryTable.baseline(of: drivers))
        victims = source.cells.indices.filter { index in
            let cell = source.cells[index]
            // Beside other drivers, a change of the baseline driver is one of the machine: it never counts as
            // regressed.
            return cell.metric.isOfSpeed && (isAlone || cell.key.driver != baseline)
        }
    }

    /// Runs `count` comparisons, on all cores.
    func results(
        of count: Int, slowdown: Double = 0, _ progress: SimulationCount? = nil
    ) throws(RunError) -> [Result] {
        let results = Collector<Result>()
        DispatchQueue.concurrentPerform(iterations: count) { index in
            do throws(RunError) {
                results.add(try run(index, slowdown: slowdown))
            } catch {
                results.fail(error)
            }
            progress?.add()
        }
        return try results.get()
    }

    private func run(_ index: Int, slowdown: Double) throws(RunError) -> Result {
        var random = PowerSettings.generator(seed, comparison: index, size: repetitions)
        let victim = victims.isEmpty ? nil : victims[index % victims.count]
        let base = side("base", nil, 0, &random)
        let new = side("new", slowdown > 0 ? victim : nil, slowdown, &random)
        let comparison = try Comparison(base: [base], new: [new], options: options)
        let caught = comparison.judgements.contains { judgement in
            guard let victim, slowdown > 0 else { return false }
            return judgement.verdict == .regressed && judgement.metric.name == source.cells[victim].metric.name
                && judgement.key == source.cells[victim].key
        }
        return Result(
            isAlarm: comparison.count(.regressed) > 0, isFalseImprovement: comparison.count(.improved) > 0,
            isCaught: caught, unchanged: Double(comparison.count(.unchanged)) / Double(max(comparison.testCount, 1)))
    }

    private func side(_ name: String, _ victim: Int?, _ slowdown: Double, _ random: inout SplitMix64) -> RecordedRun {
        /// By repetition, each figure by its name.
        var figures: [ComparisonKey: [[String: Double]]] = [:]
        var order: [ComparisonKey] = []
        let run = Int.random(in: 0..<source.runCount, using: &random)
        for (index, cell) in source.cells.enumerated() {
            let key = cell.key
            if figures[key] == nil {
                order.append(key)
                figures[key] = Array(repeating: [:], count: repetitions)
            }
            let factors = cell.factors[run]
            let slowed = index == victim ? 1 + slowdown : 1
            let scale = cell.metric.isHigherBetter ? cell.median / slowed : cell.median * slowed
            precondition(Self.simulated.contains(cell.metric.name), "\(cell.metric.name) is not simulated")
            for repetition in 0..<repetitions {
                let value = scale * factors[Int.random(in: 0..<factors.count, using: &random)]
                // A small random factor keeps values that are drawn twice from being ties, which real measurements do
                // not have.
                figures[key]?[repetition][cell.metric.name] = value * Double.random(in: 0.9999...1.0001, using: &random)
            }
        }
        let rows = order.flatMap { key in
            figures[key, default: []].enumerated().map { ResultRow(key, run: name, $0 + 1, drawn: $1) }
        }
        return RecordedRun(url: URL(fileURLWithPath: name), rows: rows, manifest: nil)
    }

    /// The figures that comparisons judge by default.
    private static let simulated = ["duration", "cpu", "rss_peak", "throughput", "latency_p50"]
}
