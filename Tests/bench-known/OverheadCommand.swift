import BenchHarness
import BenchInstrument
import Foundation

/// Says what the harness added to the known work of a run, measures what it costs to be watched and how late sleeping
/// threads wake up, and keeps all of it beside the run as `NAME.overhead.json`.
struct OverheadCommand {
    let csv: String
    let pairs: Int

    /// About a fifth of a second where there is optimisation.
    private static let steps = 200_000_000
    /// About a tenth of a second.
    private static let waitsPerPair = 50

    /// - Returns: The exit code.
    func run() -> Int32 {
        guard pairs > 0 else { return fail("expected the number of pairs, at least 1", 2) }
        do {
            let url = URL(fileURLWithPath: csv)
            let study = try OverheadStudy(RecordedRun(contentsOf: url), known: KnownActivity.work)
            let steps = BuildConfiguration.current == .release ? Self.steps : Self.steps / 1_000
            let watch = WatchCost.measure(pairs: pairs, steps: steps)
            let wakeUps = WakeUpLag.measure(waits: pairs * Self.waitsPerPair)
            print(study.text(watch, wakeUps, isColoured: false), terminator: "")
            let output = url.deletingPathExtension().appendingPathExtension("overhead.json")
            try Data(study.json(watch, wakeUps).utf8).write(to: output, options: .atomic)
            return study.problems.isEmpty ? 0 : fail(study.problems.joined(separator: "\n"), 3)
        } catch {
            return fail("\(error)", 2)
        }
    }

    private func fail(_ message: String, _ code: Int32) -> Int32 {
        FileHandle.standardError.write(Data("bench-known: error: \(message)\n".utf8))
        return code
    }
}
