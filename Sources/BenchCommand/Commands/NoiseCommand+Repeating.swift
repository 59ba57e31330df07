import BenchHarness
import Foundation

/// `bench noise --for`: how often comparisons of one build raise a false alarm, measured with real runs.
extension NoiseCommand {
    /// Adds runs to the file until the time is over, and shows what all runs of the file come to.
    func repeatRuns(for seconds: Double, in scratch: URL, _ interruption: Interruption) throws -> ExitCode {
        let request = inputs.request
        let file = try RepeatedRuns(request.output, of: request, replaces: request.replacesOutput)
        if !isQuiet, !file.runs.isEmpty {
            console.note("bench: adding to \(Figure.count(file.runs.count, "run")) in \(request.output.relativePath)\n")
        }
        let end = ContinuousClock.now + .seconds(seconds)
        var code: ExitCode?
        // A comparison that has begun gets its second run.
        while code == nil, ContinuousClock.now < end || !file.runs.count.isMultiple(of: 2) {
            if try lacksData(file) { break }
            if !isQuiet { console.note("bench: run \(file.runs.count + 1)\n") }
            let output = scratch.appendingPathComponent("run.csv")
            code = try runOnce(output, interruption)
            if code == nil { try file.append(RecordedRun(contentsOf: output)) }
        }
        return try show(file, code)
    }

    /// Whether comparisons have too few repetitions for a verdict: more runs would not help.
    private func lacksData(_ file: RepeatedRuns) throws -> Bool {
        try file.runs.count > 1 && MeasuredFalseAlarms(Array(file.runs.prefix(2))).shortage != nil
    }

    private func show(_ file: RepeatedRuns, _ code: ExitCode?) throws -> ExitCode {
        let path = file.url.relativePath
        let measured = try MeasuredFalseAlarms(file.runs)
        switch format {
        case .text:
            console.text(measured.text(isColoured:width:))
            console.text("Runs: \(path)\n")
        case .json: console.out(try measured.json())
        }
        if code == .interrupted { console.note("bench: interrupted; the complete runs are in \(path)\n") }
        return code ?? (measured.shortage == nil ? .success : .insufficientData)
    }
}
