import BenchHarness
import Foundation
import Locking

/// Runs pair after pair, each side in a new process, in random order within a pair: thus a drift of the machine affects
/// both sides.
final class ABRunner: Sendable {
    private let plan: ABPlan
    private let console: Console
    private let isQuiet: Bool
    private let interruption: Interruption
    /// The current process.
    private let process = Locked<Process?>(nil)

    init(plan: ABPlan, console: Console, isQuiet: Bool, interruption: Interruption) {
        self.plan = plan
        self.console = console
        self.isQuiet = isQuiet
        self.interruption = interruption
    }

    /// Ends the current process, which cleans up after itself. Any thread may call it.
    func stop() {
        process.withLock { $0?.terminate() }
    }

    /// Runs all pairs; returns nil if it was stopped.
    func run(in folder: URL) throws -> (base: RecordedRun, new: RecordedRun)? {
        var random = SplitMix64(state: plan.seed)
        var runs: [String: [RecordedRun]] = [:]
        let clock = MonotonicClock()
        var forecast = RunForecast(start: clock.now())
        var done = 0
        defer { if console.isErrorTerminal, !isQuiet { console.note("\r\u{1B}[K") } }
        for pair in 1...plan.pairs {
            for side in [plan.base, plan.new].shuffled(using: &random) {
                forecast.advance(to: Double(done) / Double(plan.pairs * 2))
                show("pair \(pair)/\(plan.pairs)  \(side.name)", forecast.text(at: clock.now()))
                let output = folder.appendingPathComponent("\(side.name)-\(pair).csv")
                guard try run(side, output) else { return nil }
                runs[side.name, default: []].append(try RecordedRun(contentsOf: output))
                done += 1
            }
        }
        let sides = [plan.base, plan.new].map { RecordedRun.numbered(runs[$0.name] ?? [], name: $0.title) }
        return (sides[0], sides[1])
    }

    private func show(_ position: String, _ forecast: String) {
        guard !isQuiet else { return }
        if console.isErrorTerminal {
            console.note("\r\u{1B}[K" + "\(position)  \(forecast)".prefix(console.errorWidth - 1))
        } else {
            console.note("bench: \(position)\n")
        }
    }

    /// - Returns: False if it was stopped.
    private func run(_ side: ABPlan.Side, _ output: URL) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: side.command[0])
        process.arguments = side.command.dropFirst() + ["--output", output.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        guard try start(process, side) else { return false }
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        self.process.exchange(nil)
        if interruption.isRequested { return false }
        // A failed phase is in the rows, and the verdict reports it.
        let hasRun =
            process.terminationReason == .exit && [0, ExitCode.failure.rawValue].contains(process.terminationStatus)
        guard hasRun, FileManager.default.fileExists(atPath: output.path) else {
            let how = process.terminationReason == .exit ? "exit code" : "signal"
            let said = text.split(separator: "\n").last.map { ": \($0)" } ?? ""
            throw UsageError(
                "--\(side.name) \(side.command[0]): ended with \(how) \(process.terminationStatus)\(said)")
        }
        return true
    }

    /// - Returns: False if it was stopped.
    private func start(_ process: Process, _ side: ABPlan.Side) throws -> Bool {
        try self.process.withLock { current in
            if interruption.isRequested { return false }
            do {
                try process.run()
            } catch {
                throw UsageError("--\(side.name) \(side.command[0]): cannot start; expected an executable program")
            }
            current = process
            return true
        }
    }
}
